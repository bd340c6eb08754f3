import { describe, expect, test } from "vitest";
import { AgentWorld, lone } from "../../test/support/agent-world.ts";
import { expectFault } from "../../test/support/expect-fault.ts";
import type { Input } from "../core/inputs.ts";
import type { Work } from "../core/workspace/workspace-state.ts";
import { PlacesAgain, type PlacesAgainLink } from "./places-again.ts";
import { RunsInAgents, type RunsInAgentsLink } from "./runs-in-agents.ts";
import type { Workspace } from "./workspace/workspace.ts";

const found: Work = { path: "a.txt", base: null, work: `100644:${"1".repeat(40)}` };

/** A workspace with a change that is nobody's. Whatever moves there asks for mainline first. */
class Rig {
  readonly world = new AgentWorld();
  readonly asked: string[] = [];
  readonly removed: string[] = [];
  /** Between the look at what is there and the report of it. */
  meanwhile: () => void = () => undefined;
  /** A daemon that closes takes no report. */
  isClosing = false;

  get link(): Pick<PlacesAgainLink & RunsInAgentsLink, "state" | "report" | "bring" | "mainlineOf"> {
    return {
      state: () => this.world.state,
      report: async (input: Input) => (this.isClosing ? { ok: false } : this.world.give(input, "system")),
      bring: async () => undefined,
      mainlineOf: async () => {
        this.asked.push("mainline");
        throw new Error("it moves");
      },
    };
  }

  get workspace(): Workspace {
    return {
      alone: (act: () => Promise<unknown>) => act(),
      sweep: async () => {
        this.meanwhile();
        return [found];
      },
    } as unknown as Workspace;
  }

  inAgent(): { readonly run: string; readonly enter: () => Promise<unknown> } {
    const { world, workspace } = this;
    const agent = world.running([lone]);
    const run = world.submit({ project: world.projectId, agent });
    const agents = { placeFor: async () => workspace, leavePlace: async () => undefined };
    const inAgents = new RunsInAgents({ ...this.link, agents: () => agents });
    return { run, enter: () => inAgents.of(this.world.run(run), agent) };
  }

  again(): { readonly run: string; readonly enter: () => Promise<unknown> } {
    const { world, workspace } = this;
    const run = world.started({ project: world.projectId });
    world.finish(run);
    world.stopped(run);
    world.ok({ type: "run.continue", run, message: "more" });
    const done = { has: async () => true, unmark: async () => undefined, among: async () => [] };
    const workspaces = {
      ...{ done, end: async () => undefined, keepHome: async () => undefined },
      folders: async () => new Map([[run, "/nowhere"]]),
      remove: async (id: string) => void this.removed.push(id),
    } as unknown as PlacesAgainLink["workspaces"];
    const open = async (): Promise<Workspace> => workspace;
    const again = new PlacesAgain({ ...this.link, workspaces, open, stopped: async () => undefined });
    return { run, enter: () => again.of({ ...this.world.run(run), caged: false }) };
  }
}

describe.each(["inAgent", "again"] as const)("what is to give way (%s)", (how) => {
  const code = how === "inAgent" ? "agent-down" : "workspace-unavailable";

  test("[LD12] stays where the daemon closes before it is written down", async () => {
    const rig = new Rig();
    const { enter } = rig[how]();
    rig.isClosing = true;
    for (const _ of [1, 2, 3]) await expectFault(enter(), code);
    expect([rig.asked, rig.removed]).toEqual([[], []]);
  });

  test("[LD12] stays where its run is ended before it is written down", async () => {
    const rig = new Rig();
    const { run, enter } = rig[how]();
    rig.meanwhile = () => void rig.world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    await expectFault(enter(), code);
    expect([rig.asked, rig.removed, rig.world.trash()]).toEqual([[], [], []]);
  });

  test("[LD12] goes once it is", async () => {
    const rig = new Rig();
    const { enter } = rig[how]();
    await expect(enter()).rejects.toThrow("it moves");
    expect([rig.asked, rig.world.trash().length]).toEqual([["mainline"], 1]);
  });
});
