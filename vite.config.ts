import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: path.join(import.meta.dirname, "src/console"),
  plugins: [react()],
  build: {
    outDir: path.join(import.meta.dirname, "dist/console"),
    emptyOutDir: true,
    // The page may run scripts from its own origin only; an inline polyfill would need an exception to that.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
