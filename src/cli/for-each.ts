// Does the same to several runs: each on its own, so that one refusal does not keep the others from it.

import type { WireError } from "../protocol/errors.ts";
import type { Cli } from "./cli.ts";
import { reportError, toReport } from "./report-error.ts";
import { tellDone } from "./tell-done.ts";

/**
 * Prints the ids that it was done to, and beside each what became of it: `act` answers with that sentence. Ids alone stand
 * on standard output, so that scripts can go on with them. Answers the exit code of the first refusal.
 */
export async function forEach(
  cli: Cli,
  ids: Iterable<string> | AsyncIterable<string>,
  json: boolean,
  act: (id: string) => Promise<string>,
  field = "runs",
): Promise<number> {
  const done: string[] = [];
  const errors: (WireError & { readonly id: string })[] = [];
  let firstExitCode = 0;
  const known = new Set<string>();
  for await (const id of ids) {
    if (known.has(id)) continue;
    known.add(id);
    try {
      const sentence = await act(id);
      done.push(id);
      if (!json) tellDone(cli, id, sentence);
    } catch (thrown) {
      if (json) {
        const { error, exitCode } = await toReport(cli, thrown);
        errors.push({ id, ...error });
        firstExitCode ||= exitCode;
      } else {
        firstExitCode ||= await reportError(cli, thrown, false);
      }
    }
  }
  if (json) cli.out.json({ [field]: done, errors });
  return firstExitCode;
}
