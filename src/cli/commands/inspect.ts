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
import { serviceColumns, toServiceRow } from "../view/agent-view.ts";
import { toClaimFields, toPolicyFields, toProjectFields, toRunFields } from "../view/run-view.ts";
import { toTaskFields } from "../view/task-view.ts";
import { show } from "./agent.ts";

const testedLinesMax = 10;
const kinds = ["run", "task", "claim", "project", "policy", "agent", "service"] as const;
/** A name may be that of any of these. */
const namedKinds = ["project", "policy", "agent"] as const;
type Kind = (typeof kinds)[number];
type Found = { readonly kind: Kind; readonly value: object; readonly print: () => Promise<void> | void };

export const inspect = defineCommand<CommonFlags & { readonly kind?: Kind }, [string]>({
  usage: "ID [--kind KIND]",
  about: "With --json the answer has kind, and a field of that name with everything that is known.",
  examples: [
    ["inspect r_1a", "A run: its state and why, what it holds, what it waits for."],
    ["inspect c_2b --json", "A claim, for a script."],
    ["inspect shop-1", "A living agent: its services, their ports and how they are."],
    ["inspect shop-1/web --json", "One of its services, with all that is known."],
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
        {
          parse: parseNonEmpty,
          placeholder: "ID",
          brief: "Id of a run, task, claim, project or agent, or a name; AGENT/SERVICE for a service.",
        },
      ],
    },
  },
  async run(cli, { kind, json }, id) {
    const found = await find(cli, kind ?? kindOf(id), id);
    if (json) return cli.out.json({ kind: found.kind, [found.kind]: found.value });
    await found.print();
  },
});

/** Ids say what they are by their letter; names do not. */
function kindOf(id: string): Kind | undefined {
  if (id.includes("/")) return "service";
  const letter = /^([a-z])_[0-9a-z]+$/.exec(id)?.[1];
  return letter === undefined ? undefined : letters[letter];
}

const letters: Readonly<Record<string, Kind>> = { r: "run", t: "task", c: "claim", a: "agent" };

async function find(cli: Cli, kind: Kind | undefined, id: string): Promise<Found> {
  const of = (found: Kind, value: object, fields: readonly Field[]): Found => {
    return { kind: found, value, print: () => cli.out.print(...toFieldLines(cli.out, fields)) };
  };
  switch (kind) {
    case "run": {
      const { run } = await cli.link.call("run.get", { run: id });
      return of(kind, run, toRunFields(run, await askNow(cli), await readTested(cli, run)));
    }
    case "task": {
      const { task } = await cli.link.call("task.get", { task: id });
      return of(kind, task, toTaskFields(task, await askNow(cli)));
    }
    case "claim": {
      const claim = await cli.link.call("claim.get", { claim: id });
      return of(kind, claim, toClaimFields(claim, await askNow(cli)));
    }
    case "project": {
      const { project } = await cli.link.call("project.get", { project: id });
      return of(kind, project, toProjectFields(project));
    }
    case "policy": {
      const { policy } = await cli.link.call("policy.get", { name: id });
      return of(kind, policy, toPolicyFields(policy));
    }
    case "agent": {
      const { agent } = await cli.link.call("agent.get", { agent: id });
      return { kind, value: agent, print: () => show(cli, agent) };
    }
    case "service":
      return await findService(cli, id);
    default:
      return await findByName(cli, id);
  }
}

/** By the names of its agent and of itself; of several instances there are as many. */
async function findService(cli: Cli, id: string): Promise<Found> {
  const [agent = "", service = ""] = id.split("/");
  if (agent === "" || service === "") throw notFound(`A service is named as AGENT/SERVICE, such as shop-1/web.`, id);
  const answer = await cli.link.call("service.get", { agent, service });
  const print = async (): Promise<void> => {
    const now = await askNow(cli);
    const rows = answer.services.map((each) => toServiceRow(cli.out, each, now));
    cli.out.table(serviceColumns, rows);
  };
  return { kind: "service", value: answer, print };
}

function notFound(message: string, id: string): ProtocolError {
  return new ProtocolError({ code: "not-found", message, data: { id }, ways: [] });
}

/** The end of what the acceptance command wrote, as the log has it. */
async function readTested(cli: Cli, { tested }: Run): Promise<string[]> {
  if (tested === null) return [];
  const { events } = await cli.link.call("events.read", { after: tested.event - 1, limit: 1 });
  const summary = events[0] === undefined ? "" : rawTextOf(events[0], "summary").trimEnd();
  return summary === "" ? [] : summary.split("\n").slice(-testedLinesMax);
}

async function findByName(cli: Cli, name: string): Promise<Found> {
  for (const kind of namedKinds) {
    try {
      return await find(cli, kind, name);
    } catch (error) {
      if (!(error instanceof ProtocolError) || (error.code !== "not-found" && error.code !== "bad-input")) throw error;
    }
  }
  const [{ projects }, { policies }, { agents }] = await Promise.all([
    cli.link.call("project.list", {}),
    cli.link.call("policy.list", {}),
    cli.link.call("agent.list", {}),
  ]);
  const known = [...projects, ...policies, ...agents].map((each) => each.name);
  const message = `There is no project, policy or agent "${name}".${didYouMean(name, known)} Runs, tasks and claims are named by their ids, such as r_1a, t_1a and c_1a.`;
  throw notFound(message, name);
}
