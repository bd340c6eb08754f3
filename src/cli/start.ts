// Prepares the process for a command, and turns its answer into an exit code.

import { Cli } from "./cli.ts";
import { reportError } from "./report-error.ts";
import { runCli } from "./run-cli.ts";

export async function start(program: string, words: readonly string[]): Promise<void> {
  // `signalbox ps | head` ends our output early. That is no error of ours, and nobody is left to be told.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit();
      throw error;
    });
  }
  const { stdout, stderr, env } = process;
  const cli = new Cli({ program, stdout, stderr, env, cwd: currentFolder() });
  // Nothing should get here, and if it does, nobody should have to read a stack; except in the daemon's log, which is
  // where one is looked for.
  const giveUp = async (error: Error): Promise<void> =>
    process.exit(await reportError(cli, error, words.includes("--json")));
  if (words[0] !== "up") process.once("uncaughtException", (error) => void giveUp(error));
  try {
    process.exitCode = await runCli(cli, words);
  } catch (error) {
    process.exitCode = await reportError(cli, error, words.includes("--json"));
  } finally {
    cli.close();
  }
}

/** A folder that was removed under our feet has no name any more. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
