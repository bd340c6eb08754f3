import { parseDollars } from "../../protocol/dollars.ts";
import {
  type HeldBy,
  heldBy,
  limitIn,
  modelWithoutPrice,
  nextLimit,
  showLimit,
  withLimit,
} from "../../protocol/held-by.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import type { Profile } from "../../protocol/wire/profile.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, textFlag } from "../flags.ts";
import { tellDone } from "../tell-done.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & { readonly to?: string };

export const raise = defineCommand<Flags, [string]>({
  usage: "RUN [--to AMOUNT]",
  about: `Where a run has spent what it may, this raises the limit that holds it: of the policy or profile that signalbox inbox names, to
twice as much or to what --to says. Its policy counts for the run at once. A run keeps what its profile said when it was submitted, so a
profile counts for those that come, also for a retry.`,
  examples: [
    ["raise r_1a", "Twice as much as until now."],
    ["raise r_1a --to 10", "To $10, or to ten turns where those are what it has no more of."],
  ],
  parameters: {
    flags: { to: textFlag("AMOUNT", "Dollars, or turns where a profile limits those."), json: jsonFlag },
    positional: oneRun,
  },
  async run(cli, { to, json }, run) {
    const { modelRefused } = (await cli.link.call("run.get", { run })).run;
    if (modelRefused === null) throw new UsageError(`${run} is not kept from its model.`);
    const held = heldBy(modelRefused);
    if (held === null) {
      const model = modelWithoutPrice(modelRefused) ?? modelRefused.what;
      throw new UsageError(
        `No limit is in the way of ${run}: ${model} has no price. Say one: signalbox price set ${model} --input DOLLARS --output DOLLARS`,
      );
    }
    const said = await read(cli, held);
    const before = limitIn(held, said);
    if (before === null) throw new UsageError(`${held.of} ${held.name} does not say ${held.rule} any more.`);
    const limit = to === undefined ? nextLimit(held, before) : parseLimit(held, to);
    await set(cli, withLimit(held, said, limit));
    const { of, name, rule } = held;
    if (json) return cli.out.json({ run, of, name, rule, before, limit });
    const late =
      of === "profile" ? ` ${run} keeps what it said before: stop it, and try again with: signalbox retry ${run}` : "";
    const change = `${showLimit(held, before)} to ${showLimit(held, limit)}`;
    return tellDone(cli, run, `${of} ${name}: ${rule} goes from ${change}.${late}`);
  },
});

async function read(cli: Cli, { of, name }: HeldBy): Promise<Policy | Profile> {
  if (of === "policy") return (await cli.link.call("policy.get", { name })).policy;
  return (await cli.link.call("profile.get", { name })).profile;
}

async function set(cli: Cli, said: Policy | Profile): Promise<void> {
  await ("rules" in said ? cli.link.call("policy.set", said) : cli.link.call("profile.set", said));
}

function parseLimit({ rule }: HeldBy, text: string): number {
  const limit = rule === "maxTurns" ? (/^\d{1,6}$/.test(text) ? Number(text) : undefined) : parseDollars(text);
  if (limit !== undefined) return limit;
  throw new UsageError(
    `--to "${text}": it has to be ${rule === "maxTurns" ? "a number of turns" : "an amount of dollars"}.`,
  );
}
