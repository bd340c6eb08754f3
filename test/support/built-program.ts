import { join } from "node:path";

/** A program as people run it, built from the sources as they are now (`build-program.ts` sees to that). */
export function builtProgram(name: "cli" | "daemon"): string {
  return join(import.meta.dirname, "../../dist/program", `${name}.mjs`);
}
