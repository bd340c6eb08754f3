import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// Also when a test builds it: a page made for development would be larger, slower and talkative.
process.env["NODE_ENV"] = "production";

export default defineConfig({
  root: path.join(import.meta.dirname, "src/console"),
  plugins: [withoutSchemas(), withoutStyleElements(), react({ jsxImportSource: "#jsx" })],
  build: {
    outDir: path.join(import.meta.dirname, "dist/console"),
    emptyOutDir: true,
    // The page may run scripts from its own origin only; an inline polyfill would need an exception to that.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});

/**
 * In a browser the client needs only the route of each operation: the compiler has checked what is asked, and the daemon
 * checks it again. So the table of operations is reduced to its routes, and schemas that other files define are made of
 * nothing. That leaves a third of the bundle, zod and all descriptions, at home. Whoever parses with such a schema
 * nevertheless is told so.
 */
function withoutSchemas(): Plugin {
  const routes = "\0signalbox:routes";
  const nothing = "\0signalbox:no-zod";
  return {
    name: "signalbox:without-schemas",
    enforce: "pre",
    resolveId: (source) => {
      if (source === "zod") return nothing;
      return /[/]operations[.]ts$/.test(source) ? routes : undefined;
    },
    load: async (id) => {
      if (id === nothing) return noZod;
      if (id !== routes) return undefined;
      const { operations } = await import("./src/protocol/operations.ts");
      const entries = Object.entries(operations).map(([name, { http }]) => [name, { http }]);
      return `export const operations = ${JSON.stringify(Object.fromEntries(entries))};`;
    },
  };
}

/**
 * The page's policy allows no style elements and no style attributes that somebody writes as text. The terminal's library
 * makes both; what it makes instead is allowed and looks the same. A release that does it in another way stops the build.
 */
function withoutStyleElements(): Plugin {
  const attribute = /(\w)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w)\};`\)/g;
  const changes = [
    { from: /createElement\("style"\)/g, to: 'createElement("signalbox-sheet")', times: 3 },
    { from: attribute, to: "$1.style.cssText+=`${$2};`", times: 1 },
  ];
  return {
    name: "signalbox:without-style-elements",
    transform: (code, id) => {
      if (!id.includes("/@xterm/xterm/lib/")) return undefined;
      for (const { from, times } of changes) {
        const found = code.match(from)?.length ?? 0;
        if (found !== times) throw new Error(`${id} has ${found} places like ${String(from)}, not ${times}`);
      }
      return { code: changes.reduce((text, { from, to }) => text.replaceAll(from, to), code), map: null };
    },
  };
}

const noZod = `
const refuse = () => { throw new Error("schemas are not part of the console; see vite.config.ts"); };
export const z = new Proxy(() => z, { get: (_, name) => (/^(safe)?(parse|encode|decode)/i.test(String(name)) ? refuse : z) });
`;
