// Reads a secret: from standard input, or from whoever sits there, without showing it.

import { text } from "node:stream/consumers";
import type { Cli } from "./cli.ts";
import { UsageError } from "./usage-error.ts";

export async function readSecret(cli: Cli, prompt: string): Promise<string> {
  const { stdin } = process;
  const value = stdin.isTTY ? await ask(cli, stdin, prompt) : (await text(stdin)).replace(/\r?\n$/, "");
  if (value === "") throw new UsageError("No value was given. Type it, or send it on standard input.");
  return value;
}

/** Takes one line, key by key: what the terminal does not get back it does not show. */
function ask(cli: Cli, stdin: NodeJS.ReadStream, prompt: string): Promise<string> {
  cli.out.note(prompt);
  return new Promise((resolve, reject) => {
    let typed = "";
    const finish = (settle: () => void): void => {
      stdin.off("data", take);
      stdin.setRawMode(false);
      stdin.pause();
      settle();
    };
    const take = (chunk: Buffer): void => {
      for (const key of chunk.toString("utf8")) {
        if (key === "\r" || key === "\n" || key === "\u0004") return finish(() => resolve(typed));
        if (key === "\u0003") return finish(() => reject(new UsageError("Nothing was kept.")));
        if (key === "\u007f" || key === "\b") typed = typed.slice(0, -1);
        else typed += key;
      }
    };
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("data", take);
  });
}
