// Checks which way imports point. The table itself is in boundaries.test.ts.

import path from "node:path";
import { findImports, type Import } from "./imports.ts";
import { type Finding, isTest, type SourceFile } from "./source-files.ts";

export interface Boundaries {
  /** Which other layers a layer may import; itself always. */
  mayImport: Readonly<Record<string, readonly string[]>>;
  /** What a layer may load only when it is needed, by `import()`: single files, or folders with a closing slash. */
  mayImportLazily: Readonly<Record<string, readonly string[]>>;
  /** Layers without any package from the registry. */
  withoutPackages: readonly string[];
  /** Layers without Node's own modules. */
  withoutNode: readonly string[];
}

/** Tests may import anything; so may what is not a layer, such as bench/ and scripts/. */
export function checkBoundaries(files: readonly SourceFile[], boundaries: Boundaries): Finding[] {
  return files.flatMap((file) => {
    const layer = layerOf(file.path);
    if (layer === undefined || isTest(file.path)) return [];
    if (!Object.hasOwn(boundaries.mayImport, layer)) {
      const message = `${layer}/ is not in the table of boundaries.test.ts. Decide what it may import and add it there.`;
      return [{ path: file.path, line: 1, message }];
    }
    return findImports(file).flatMap((found) => {
      const message = judge(file, layer, found, boundaries);
      return message === undefined ? [] : [{ path: file.path, line: found.line, message }];
    });
  });
}

function judge(file: SourceFile, layer: string, found: Import, boundaries: Boundaries): string | undefined {
  const { specifier } = found;
  if (specifier === undefined) {
    return `a computed import cannot be checked. Write the path out; where there are several, use a table of them.`;
  }
  if (specifier.startsWith("node:")) return judgeNode(layer, specifier, boundaries);
  if (!specifier.startsWith(".")) return judgePackage(layer, specifier, boundaries);
  const target = path.posix.join(path.posix.dirname(file.path), specifier);
  const other = layerOf(target);
  if (other === layer) return undefined;
  if (other === undefined)
    return `${layer}/ may not import ${target}, which is no layer. What ships depends on layers only.`;
  if (boundaries.mayImport[layer]?.includes(other) === true) return undefined;
  const lazily = boundaries.mayImportLazily[layer] ?? [];
  const isLazyTarget = lazily.some((allowed) =>
    allowed.endsWith("/") ? target.startsWith(allowed) : target === allowed,
  );
  if (isLazyTarget && found.lazy) return undefined;
  if (isLazyTarget) {
    return `${layer}/ may load ${target} only when it is needed: every other command would pay for it. Use \`await import(…)\`.`;
  }
  return `${layer}/ may not import ${other}/. ${adviceFor(layer, other)}`;
}

function judgeNode(layer: string, specifier: string, { withoutNode }: Boundaries): string | undefined {
  if (!withoutNode.includes(layer)) return undefined;
  if (layer === "protocol" || layer === "client" || layer === "console") {
    return `${layer}/ runs in a browser, where there is no ${specifier}. Use what browsers and Node share, or do it in daemon/ or cli/.`;
  }
  return `${layer}/ may not import ${specifier}: it must run in the simulator unchanged. Put what you need into the input, or add a port.`;
}

function judgePackage(layer: string, specifier: string, { withoutPackages }: Boundaries): string | undefined {
  if (!withoutPackages.includes(layer)) return undefined;
  return `${layer}/ may not import the package ${specifier}: everything else stands on this layer. Write the little that is needed in base/, or put an adapter behind a port.`;
}

function adviceFor(layer: string, other: string): string {
  if (layer === "base") return "It knows no word of the domain: pass a value or a function in.";
  if (layer === "core") return "Put what you need into the input, or add a port.";
  if (layer === "engine" || layer === "node" || layer === "sim") {
    return other === "adapters" || other === "node"
      ? "Take it as a port; daemon/ does the wiring."
      : "Move what both need down a layer.";
  }
  if (layer === "console" || layer === "cli" || layer === "mcp" || layer === "client") {
    return "A face speaks to the daemon through client/ and protocol/ only, so that all faces can do the same.";
  }
  if (layer === "adapters") return "An adapter serves a port and knows nobody who uses it; daemon/ does the wiring.";
  return "Move what both need down a layer, or let daemon/ do the wiring.";
}

function layerOf(file: string): string | undefined {
  const [first, second, third] = file.split("/");
  if (first === "sim") return "sim";
  return first === "src" && third !== undefined ? second : undefined;
}
