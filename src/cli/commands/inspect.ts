import { didYouMean } from "../../base/did-you-mean.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { rawTextOf } from "../view/event-fields.ts";
import { type Field, toFieldLines } from "../view/fields-view.ts";
import { toClaimFields, toPolicyFields, toProjectFields, toRunFields } from "../view/run-view.ts";
import { toTaskFields } from "../view/task-view.ts";

const testedLinesMax = 10;
const kinds = ["run", "task", "claim", "project", "policy"] as const;
type Kind = (typeof kinds)[number];
type Found = { readonly kind: Kind; readonly value: object; readonly fields: readonly Field[] };

export const inspect = defineCommand<CommonFlags & { readonly kind?: Kind }, [string]>({
  usage: "ID [--kind KIND]",
  about: "With --json the answer has kind, and a field of that name with everything that is known.",
  examples: [
    ["inspect r_1a", "A run: its state and why, what it holds, what it waits for."],
    ["inspect c_2b --json", "A claim, for a script."],
    ["inspect shop --kind policy", "A policy that is called like a project."],
  ],
  parameters: {
    flags: {
      kind: {
        kind: "enum",
        values: kinds,
        optional: true,
        placeholder: "KIND",
        brief: `What the id or name belongs to: ${kinds.join(", ")}. Left out: whatever it fits.`,
      },
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [
        { parse: parseNonEmpty, placeholder: "ID", brief: "Id of a run, task, claim or project, or a name." },
      ],
    },
  },
  async run(cli, { kind, json }, id) {
    const found = await find(cli, kind ?? kindOf(id), id);
    if (json) return cli.out.json({ kind: found.kind, [found.kind]: found.value });
    cli.out.print(...toFieldLines(cli.out, found.fields));
  },
});

/** Ids say what they are by their letter; names do not. */
function kindOf(id: string): Kind | undefined {
  const letter = /^([a-z])_[0-9a-z]+$/.exec(id)?.[1];
  return letter === "r" ? "run" : letter === "t" ? "task" : letter === "c" ? "claim" : undefined;
}

async function find(cli: Cli, kind: Kind | undefined, id: string): Promise<Found> {
  switch (kind) {
    case "run": {
      const { run } = await cli.link.call("run.get", { run: id });
      return { kind, value: run, fields: toRunFields(run, await askNow(cli), await readTested(cli, run)) };
    }
    case "task": {
      const { task } = await cli.link.call("task.get", { task: id });
      return { kind, value: task, fields: toTaskFields(task, await askNow(cli)) };
    }
    case "claim": {
      const claim = await cli.link.call("claim.get", { claim: id });
      return { kind, value: claim, fields: toClaimFields(claim, await askNow(cli)) };
    }
    case "project": {
      const { project } = await cli.link.call("project.get", { project: id });
      return { kind, value: project, fields: toProjectFields(project) };
    }
    case "policy": {
      const { policy } = await cli.link.call("policy.get", { name: id });
      return { kind, value: policy, fields: toPolicyFields(policy) };
    }
    default:
      return await findByName(cli, id);
  }
}

/** The end of what the acceptance command wrote, as the log has it. */
async function readTested(cli: Cli, { tested }: Run): Promise<string[]> {
  if (tested === null) return [];
  const { events } = await cli.link.call("events.read", { after: tested.event - 1, limit: 1 });
  const summary = events[0] === undefined ? "" : rawTextOf(events[0], "summary").trimEnd();
  return summary === "" ? [] : summary.split("\n").slice(-testedLinesMax);
}

async function findByName(cli: Cli, name: string): Promise<Found> {
  for (const kind of ["project", "policy"] as const) {
    try {
      return await find(cli, kind, name);
    } catch (error) {
      if (!(error instanceof ProtocolError) || (error.code !== "not-found" && error.code !== "bad-input")) throw error;
    }
  }
  const [{ projects }, { policies }] = await Promise.all([
    cli.link.call("project.list", {}),
    cli.link.call("policy.list", {}),
  ]);
  const known = [...projects, ...policies].map((each) => each.name);
  const message = `There is no project or policy "${name}".${didYouMean(name, known)} Runs, tasks and claims are named by their ids, such as r_1a, t_1a and c_1a.`;
  throw new ProtocolError({ code: "not-found", message, data: { id: name }, ways: [] });
}
