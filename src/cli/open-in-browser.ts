import { spawn } from "node:child_process";
import type { Cli } from "./cli.ts";

/** Hands an address to whatever opens addresses here. When nothing does, the link was printed anyway. */
export function openInBrowser(cli: Cli, url: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [url], { stdio: "ignore", detached: true });
  child.once("error", () => cli.out.note(`${opener} is not there; open the link above by hand.`));
  child.unref();
}
