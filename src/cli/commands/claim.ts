import { exitCodeOf, exitCodes, ProtocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { Claim } from "../../protocol/wire/claim.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import {
  durationFlag,
  flag,
  jsonFlag,
  keyFlag,
  parseTtl,
  priorityFlag,
  projectFlag,
  textFlag,
  unitsFlag,
} from "../flags.ts";
import { askNow } from "../now.ts";
import { resolveProject } from "../resolve-project.ts";
import { parseDurationBetween, showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { toUnitText } from "../view/unit-text.ts";
import { enumerate } from "../view/event-fields.ts";
import { waitForClaim } from "../wait-for-claim.ts";

type Flags = CommonFlags & {
  readonly project?: string;
  readonly unit: readonly string[];
  readonly as?: string;
  readonly priority?: number;
  readonly ttl?: number;
  readonly wait?: number;
  readonly try: boolean;
  readonly key?: string;
  readonly deadline?: number;
};

const usualTtlMs = 60_000;

export const claim = defineCommand<Flags>({
  usage: "--unit UNIT… [--project PROJECT] [--as NAME] [--ttl DURATION] [--wait DURATION | --try]",
  about: `Units are file:PATH, dir:PATH (with everything beneath) and process:NAME; paths are relative to the project. The claim
is granted whole or waits in the queue. With --wait it waits for the grant and renews meanwhile; when the time is over
the claim keeps its place, and the exit code is 6. Without --wait a claim that is queued counts as success: look at
its state, or use --try, which never queues.

With --json the answer has claim, state (granted, queued or refused), fence, behind and code; of a refused one, ended
says how it ended.`,
  examples: [
    ["claim --unit file:src/a.ts --unit process:test", "Hold two units for a minute."],
    ["claim --unit dir:src/auth --as alice --wait 10s && $EDITOR src/auth", "Go on only when they are granted."],
    ["claim --unit file:src/a.ts --try --ttl 5m --json", "Now or not at all, for a script."],
  ],
  parameters: {
    flags: {
      unit: { ...unitsFlag, brief: "What to claim." },
      project: projectFlag,
      as: textFlag("NAME", "Names the holder. Claims under one name never conflict. Left out: a holder of its own."),
      priority: priorityFlag,
      ttl: durationFlag("How long the lease lasts without renewal. Left out: 60s.", parseTtl),
      wait: durationFlag("Waits this long for the grant."),
      try: flag("Answers at once: granted, or refused as busy."),
      key: keyFlag,
      deadline: durationFlag(
        "When it still waits after this time, the claim ends.",
        parseDurationBetween(1, limits.deadlineMsMax),
      ),
      json: jsonFlag,
    },
    aliases: { u: "unit", p: "project" },
  },
  async run(cli, flags) {
    if (flags.try && flags.wait !== undefined) {
      throw new UsageError("--try answers at once and --wait waits: give one of them.");
    }
    try {
      const made = await makeClaim(cli, flags);
      return flags.json ? answerJson(cli, made, flags) : await answerPeople(cli, made, flags);
    } catch (error) {
      if (!flags.json || !(error instanceof ProtocolError) || isAway(error)) throw error;
      const { code, message, ways, data } = error.toWire();
      const refused = { claim: null, state: "refused", fence: null, behind: [], code, message, ways, hint: null };
      cli.out.json({ ...refused, error: { code, message, data, ways } });
      return error.exitCode;
    }
  },
});

async function makeClaim(cli: Cli, flags: Flags): Promise<Claim> {
  const { unit, as, priority, ttl: ttlMs = usualTtlMs, wait, key, deadline } = flags;
  const made = await cli.link.call("claim.make", {
    project: await resolveProject(cli, flags.project),
    units: [...unit],
    ttlMs,
    mode: flags.try ? "try" : "wait",
    ...(as === undefined ? {} : { as }),
    ...(priority === undefined ? {} : { priority }),
    ...(key === undefined ? {} : { key }),
    ...(deadline === undefined ? {} : { deadlineMs: deadline }),
  });
  return made.state === "queued" && wait !== undefined ? await waitForClaim(cli, made, { forMs: wait, ttlMs }) : made;
}

function answerJson(cli: Cli, made: Claim, flags: Flags): number {
  const state = made.state === "granted" || made.state === "queued" ? made.state : "refused";
  cli.out.json({ ...made, state, ended: state === "refused" ? made.state : null });
  return exitCodeFor(made, flags);
}

async function answerPeople(cli: Cli, made: Claim, flags: Flags): Promise<number> {
  const { green, yellow, red, dim } = cli.out.colors;
  const units = toSafeLine(enumerate(made.units.map(toUnitText), 8));
  switch (made.state) {
    case "granted":
      cli.out.print(`${made.claim} ${green("granted")}: ${units} (fence ${made.fence})`);
      if (made.hint !== null) cli.out.note(toSafeLine(made.hint));
      cli.out.note(dim(await lastsText(cli, made)));
      break;
    case "queued":
      cli.out.print(`${made.claim} ${yellow("queued")}: ${units}`);
      for (const { holder, unit, by } of made.behind) {
        cli.out.print(
          `  behind ${toSafeLine(holder)} for ${toSafeLine(toUnitText(unit))}${by === "lease" ? "" : ", ahead in the queue"}`,
        );
      }
      if (made.hint !== null) cli.out.note(toSafeLine(made.hint));
      cli.out.note(
        dim(
          `It keeps its place until its time is over (signalbox renew ${made.claim}): signalbox inspect ${made.claim}, signalbox cancel ${made.claim}`,
        ),
      );
      break;
    default:
      cli.out.print(`${made.claim} ${red(made.code ?? made.state)}: ${units}`);
      if (made.message !== null) cli.out.note(toSafeLine(made.message));
      if (made.hint !== null) cli.out.note(toSafeLine(made.hint));
      for (const way of made.ways) cli.out.note(dim(`  - ${toSafeLine(way)}`));
  }
  return exitCodeFor(made, flags);
}

/** What the daemon says, not what was asked for: the same request again may come long after the grant, and renews nothing. */
async function lastsText(cli: Cli, { claim: id, held, expiresAtMs }: Claim): Promise<string> {
  if (!held || expiresAtMs === null) return `Nothing of it is held any more: signalbox inspect ${id}`;
  const left = showDuration((await askNow(cli)).until(expiresAtMs));
  return `Lasts ${left}: signalbox renew ${id}, signalbox release ${id}`;
}

function exitCodeFor(made: Claim, flags: Flags): number {
  if (made.state === "granted") return exitCodes.ok;
  if (made.state === "queued") return flags.wait === undefined ? exitCodes.ok : exitCodes.timedOut;
  return made.code === null ? exitCodes.refused : exitCodeOf(made.code);
}

/** Nobody refused anything: there was nobody. */
function isAway(error: ProtocolError): boolean {
  return error.exitCode === exitCodes.unreachable || error.exitCode === exitCodes.broken;
}
