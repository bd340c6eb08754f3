// The YAML of a template as plain data, with the place of each part. One walk over the document does what the library would
// do slowly or not at all: repeated keys, aliases that multiply, and texts that look like numbers.

import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Scalar,
  type YAMLError,
} from "yaml";
import { ok, refuse, type Result } from "../../base/result.ts";
import { quoted } from "../complaint.ts";
import { opensTooMany, parseQuickly } from "../parse-yaml.ts";
import type { Complain, Finding, Path } from "./problem.ts";
import { templateLimits } from "./template-schema.ts";

export type Place = { readonly line: number; readonly column: number };

export type TemplateText = {
  readonly plain: unknown;
  /** What is wrong with it although it is YAML. */
  readonly findings: readonly Finding[];
  /** Where a part begins; the nearest that is there, where it is missing. */
  readonly placeOf: (path: Path, at: "key" | "value") => Place;
};

export type BadText = Place & { readonly message: string };

/** Of everything that is written out where an alias stands, and of what stands in each other. */
const partsMax = 20_000;
const depthMax = 32;
const tooDeep = "It is nested too deeply. Nothing in a template is: mend brackets and dashes.";
const top: Place = { line: 1, column: 1 };

export function readTemplateText(source: string): Result<TemplateText, readonly BadText[]> {
  const flaw = findFlaw(source);
  if (flaw !== undefined) return refuse([{ ...top, message: flaw }]);
  const lines = new LineCounter();
  const document = parseQuickly(source, lines);
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) return refuse(toBadTexts(wrong, lines));
  if (document.contents === null)
    return refuse([
      {
        ...top,
        message: "There is nothing in it. Begin with `template: NAME`, or let signalbox template init write one.",
      },
    ]);
  const walk = new Walk();
  const plain = walk.toPlain(document.contents, []);
  return ok({
    plain,
    findings: walk.findings,
    placeOf: (path, at) => {
      const offset = findOffset(document.contents, walk.meant, path, at);
      const { line, col } = lines.linePos(offset);
      return line === 0 ? top : { line, column: col };
    },
  });
}

function findFlaw(source: string): string | undefined {
  const bytes = new TextEncoder().encode(source).length;
  if (bytes > templateLimits.bytesMax)
    return `It is too large: ${bytes} bytes, and a template has at most ${templateLimits.bytesMax}. Put long texts into files of the project.`;
  if (source.includes("\0")) return "This is no text: there is a NUL in it. Name a file of YAML.";
  return opensTooMany(source) ? tooDeep : undefined;
}

/** One for each line: what follows a mistake in its line is mostly a consequence of it. */
function toBadTexts(wrong: readonly YAMLError[], lines: LineCounter): BadText[] {
  const byLine = new Map<number, BadText>();
  for (const error of wrong) {
    const { line, col } = lines.linePos(error.pos[0]);
    const place = line === 0 ? top : { line, column: col };
    if (!byLine.has(place.line)) byLine.set(place.line, { ...place, message: toMessage(error) });
  }
  return [...byLine.values()];
}

function toMessage({ code, message }: YAMLError): string {
  switch (code) {
    case "RESOURCE_EXHAUSTION":
      return tooDeep;
    case "TAB_AS_INDENT":
      return "YAML is indented by spaces, never by tabs. Replace the tab by spaces.";
    case "MULTIPLE_DOCS":
      return "A second document begins here, and a template is one. Give the other one a file of its own.";
    case "TAG_RESOLVE_FAILED":
      return "There are no tags in a template. Take out what begins with an exclamation mark, or put it into quotes.";
    case "BAD_DIRECTIVE":
      return "There are no directives in a template. Take out the line that begins with a percent sign.";
    default:
      return `This is not YAML: ${(message.split("\n")[0] ?? message).replace(/[:.]$/, "").slice(0, 200)}. Mend it here or just before; a text with special characters goes into quotes.`;
  }
}

class Walk {
  readonly findings: Finding[] = [];
  /** What each alias stands for. Looking it up in the document would take as long as the document is, each time. */
  readonly meant = new Map<unknown, Node>();
  readonly #anchors = new Map<string, Node>();
  #inAliases = 0;
  #parts = 0;
  #isCut = false;

  toPlain(node: unknown, path: Path): unknown {
    this.#parts++;
    if (this.#isCut) return null;
    if (this.#parts > partsMax)
      return this.#cut([], "It grows too large by its aliases. Write out what you need, once.");
    if (path.length > depthMax)
      return this.#cut(path, "It is nested too deeply, or an alias stands inside what it names.");
    if (isAlias(node)) return this.#toMeant(node, path);
    if (isNode(node) && node.anchor !== undefined && this.#inAliases === 0) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return this.#toObject(node.items, path);
    if (isSeq(node)) return node.items.map((item, at) => this.toPlain(item, [...path, at]));
    return isScalar(node) ? toValue(node, path) : null;
  }

  /** An alias means what bore the name last when it was first come by; later its own text may be walked again. */
  #toMeant(alias: Alias, path: Path): unknown {
    const target = this.meant.get(alias) ?? this.#anchors.get(alias.source);
    if (target === undefined) {
      this.#complain(path, `Nothing is called &${alias.source} above. Write out what is meant, or name it first.`);
      return null;
    }
    this.meant.set(alias, target);
    this.#inAliases++;
    const plain = this.toPlain(target, path);
    this.#inAliases--;
    return plain;
  }

  #toObject(items: readonly { readonly key: unknown; readonly value: unknown }[], path: Path): object {
    const object: Record<string, unknown> = {};
    for (const { key, value } of items) {
      const name = isScalar(key) ? toName(key) : undefined;
      const here = name === undefined ? path : [...path, name];
      if (name === undefined) this.#complain(path, "A key is a plain text. Write it without brackets.");
      else if (name === "__proto__") this.#complain(here, "This name cannot be used. Take another one.");
      else if (name === "<<")
        this.#complain(here, "Keys are not merged here. Write them out, or use an alias for the whole value.");
      else if (Object.hasOwn(object, name))
        this.#complain(here, `The key ${quoted(name)} is there twice. Take one of them out.`);
      else object[name] = this.toPlain(value, here);
      if (this.#isCut) break;
    }
    return object;
  }

  #cut(path: Path, message: string): null {
    this.#complain(path, message);
    this.#isCut = true;
    return null;
  }

  readonly #complain: Complain = (path, message, at = "key") => this.findings.push({ path, message, at });
}

function toName(key: Scalar): string {
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

/** Where a text belongs, `1.10`, `0x1f` and `true` are texts as they were written. */
function toValue(scalar: Scalar, path: Path): unknown {
  const { value, source } = scalar;
  const isNumberOrTruth = typeof value === "number" || typeof value === "boolean";
  return isNumberOrTruth && source !== undefined && isTextPlace(path) ? source : value;
}

function isTextPlace(path: Path): boolean {
  const inService = path[0] === "external" || path[0] === "services" ? path.slice(2) : path;
  const [first, second] = inService;
  if (first === "env") return inService.length === 2;
  if (first === "health") return second === "command" || second === "log";
  return first === "command" && path !== inService;
}

/** Of the last part on the way that is there. */
function findOffset(contents: unknown, meant: ReadonlyMap<unknown, Node>, path: Path, at: "key" | "value"): number {
  let node = contents;
  let keyAt: number | undefined;
  let valueAt = offsetOf(node) ?? 0;
  let isWhole = true;
  for (const part of path) {
    if (isAlias(node)) node = meant.get(node);
    const pair = isMap(node)
      ? node.items.findLast(({ key }) => isScalar(key) && toName(key) === String(part))
      : undefined;
    const next: unknown =
      pair === undefined && isSeq(node) && typeof part === "number" ? node.items[part] : pair?.value;
    if (pair === undefined && next === undefined) {
      isWhole = false;
      break;
    }
    node = next;
    keyAt = offsetOf(pair?.key) ?? offsetOf(next) ?? keyAt;
    valueAt = offsetOf(next) ?? keyAt ?? valueAt;
  }
  return at === "value" && isWhole ? valueAt : (keyAt ?? valueAt);
}

function offsetOf(node: unknown): number | undefined {
  return (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
