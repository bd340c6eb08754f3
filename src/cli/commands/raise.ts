import { parseDollars } from "../../protocol/dollars.ts";
import {
  type HeldBy,
  heldBy,
  limitIn,
  modelWithoutPrice,
  nextLimit,
  type OwnLimit,
  ownLimit,
  showLimit,
  withLimit,
} from "../../protocol/held-by.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import type { Profile } from "../../protocol/wire/profile.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, textFlag } from "../flags.ts";
import { tellDone } from "../tell-done.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & { readonly to?: string };

export const raise = defineCommand<Flags, [string]>({
  usage: "RUN [--to AMOUNT]",
  about: `Where a run has spent what it may, this raises the limit that holds it, to twice as much or to what --to says. signalbox inbox names
whose limit it is. One of a policy counts at once, for every run that the policy speaks of. One of its profile is raised for the run alone, at
once and only upwards; the profile stays as it is for runs to come. Of a run that is over the profile itself is raised, for a retry.`,
  examples: [
    ["raise r_1a", "Twice as much as until now."],
    ["raise r_1a --to 10", "To $10, or to ten turns where those are what it has no more of."],
  ],
  parameters: {
    flags: { to: textFlag("AMOUNT", "Dollars, or turns where a profile limits those."), json: jsonFlag },
    positional: oneRun,
  },
  async run(cli, { to, json }, id) {
    const { run } = await cli.link.call("run.get", { run: id });
    const { modelRefused } = run;
    if (modelRefused === null) throw new UsageError(`${id} is not kept from its model.`);
    const held = heldBy(modelRefused);
    if (held === null) {
      const model = modelWithoutPrice(modelRefused) ?? modelRefused.what;
      throw new UsageError(
        `No limit is in the way of ${id}: ${model} has no price. Say one: signalbox price set ${model} --input DOLLARS --output DOLLARS`,
      );
    }
    const own = ownLimit(held, run);
    const raised = own === null ? await raiseSaid(cli, held, to) : await raiseOwn(cli, held, own, { run: id, to });
    if (json) return cli.out.json({ run: id, ...raised });
    const { of, name, rule, before, limit } = raised;
    const change = `${rule} goes from ${showLimit(held, before)} to ${showLimit(held, limit)}`;
    return tellDone(cli, id, `${of} ${name}: ${change}${whomItHelps(held, run, of)}`);
  },
});

type Raised = {
  readonly of: HeldBy["of"] | "run";
  readonly name: string;
  readonly rule: HeldBy["rule"];
  readonly before: number;
  readonly limit: number;
};

function whomItHelps({ name }: HeldBy, { id }: Run, of: Raised["of"]): string {
  if (of === "policy") return ".";
  if (of === "profile") return `. ${id} is over: try it again with: signalbox retry ${id}`;
  const still = `Profile ${name} says what it said, for runs to come`;
  return `, for this run alone. ${still}; signalbox profile set ${name} replaces that.`;
}

async function raiseOwn(
  cli: Cli,
  held: HeldBy,
  { limit: rule, value: before }: OwnLimit,
  { run, to }: { readonly run: string; readonly to: string | undefined },
): Promise<Raised> {
  const limit = to === undefined ? nextLimit(held, before) : parseLimit(held, to);
  await cli.link.call("run.raise", { run, limit: rule, to: limit });
  return { of: "run", name: run, rule, before, limit };
}

async function raiseSaid(cli: Cli, held: HeldBy, to: string | undefined): Promise<Raised> {
  const said = await read(cli, held);
  const before = limitIn(held, said);
  if (before === null) throw new UsageError(`${held.of} ${held.name} does not say ${held.rule} any more.`);
  const limit = to === undefined ? nextLimit(held, before) : parseLimit(held, to);
  // Somebody else may have raised it since: a raise that was meant from less would take that from them.
  if (limit <= before) {
    throw new UsageError(
      `${held.of} ${held.name} has ${showLimit(held, before)} already, and ${showLimit(held, limit)} is no more than that: say more with --to.`,
    );
  }
  await set(cli, withLimit(held, said, limit));
  return { ...held, before, limit };
}

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
