// Which folders the ignore files of a commit cover. Agents have written those files, and the daemon reads them itself: so all questions
// together may take no more than one of a keeper (LD61).

import type { Work } from "../../base/fits.ts";
import { ignoreCharsMax, IgnoreRules, ignoreStepsMax } from "../../base/ignore-rules.ts";
import { blobOf, kindOf } from "../../core/landing/entry.ts";
import type { Mainline } from "../../ports/mainline.ts";

export class IgnoredFolders {
  readonly #mainline: Mainline;
  readonly #commit: string;
  readonly #rules = new Map<string, IgnoreRules>();
  readonly #work: Work = { stepsLeft: ignoreStepsMax };
  /** For all files together. Whatever is read after so much has no rules. */
  #bytesLeft = ignoreCharsMax;

  constructor(mainline: Mainline, commit: string) {
    this.#mainline = mainline;
    this.#commit = commit;
  }

  /** Whether a folder is ignored, itself or with one that it is in. */
  async has(folder: string): Promise<boolean> {
    const names = folder.split("/");
    let rules = await this.#rulesIn("", (text) => IgnoreRules.forRoot(text));
    for (const [at, name] of names.entries()) {
      if (rules.ignores(name, true, this.#work)) return true;
      const above = rules;
      rules = await this.#rulesIn(`${names.slice(0, at + 1).join("/")}/`, (text) => above.within(name, text));
    }
    return false;
  }

  async #rulesIn(prefix: string, make: (text: string) => IgnoreRules): Promise<IgnoreRules> {
    const known = this.#rules.get(prefix);
    if (known !== undefined) return known;
    const rules = make(await this.#textAt(`${prefix}.gitignore`));
    this.#rules.set(prefix, rules);
    return rules;
  }

  async #textAt(path: string): Promise<string> {
    const entry = (await this.#mainline.entriesAt(this.#commit, [path])).get(path) ?? null;
    if (entry === null || kindOf(entry) !== "file") return "";
    const blob = blobOf(entry);
    const size = (await this.#mainline.blobSizes([blob])).get(blob) ?? 0;
    if (size > this.#bytesLeft) return "";
    this.#bytesLeft -= size;
    return Buffer.from(await this.#mainline.readBlob(blob)).toString();
  }
}
