// What the model of a run may ask for beyond its own door, by the same operations as everybody else.

import { isRestricted } from "../core/profile/profile.ts";
import type { Run } from "../core/run/run-state.ts";
import { ProtocolError } from "../protocol/errors.ts";
import type { OutputOf } from "../protocol/operations.ts";
import type { DoorControl, StartWish } from "../node/model-door/door-tools.ts";
import type { DoorAnswer } from "../ports/runner.ts";
import { askAs, type Dispatcher } from "./dispatcher.ts";
import type { DaemonParts } from "./parts.ts";

export function makeDoorControl({ engine }: Pick<DaemonParts, "engine">, dispatcher: Dispatcher): DoorControl {
  const projectOf = (run: string): string => engine.state.runs.get(run)?.project ?? "";
  return {
    locks: async (run) => {
      const locks = await askAs(`agent:${run}`, dispatcher, "locks", { project: projectOf(run) });
      return toLines(locks as OutputOf<"locks">);
    },
    start: (run, wish) => start(dispatcher, run, engine.state.runs.get(run), wish),
    stateOf: (run) => {
      const found = engine.state.runs.get(run);
      if (found === undefined) return "it is gone";
      return found.because === null ? found.state : `${found.state}: ${found.because}`;
    },
  };
}

function toLines({ leases, queue, truncated }: OutputOf<"locks">): string {
  if (leases.length === 0 && queue.length === 0) return "nobody holds anything, and nobody waits";
  const lines = [
    ...leases.map(({ unit, holder, state }) => `${holder} holds ${unit}${state === "live" ? "" : ` (${state})`}`),
    ...queue.map(({ holder, units, position }) => `${holder} waits for ${units.join(", ")} at position ${position}`),
  ];
  return [...lines, ...(truncated ? ["and more"] : [])].join("\n");
}

/** What a run starts has its profile, or it could do by another what it may not do itself. */
async function start(
  dispatcher: Dispatcher,
  parent: string,
  run: Run | undefined,
  wish: StartWish,
): Promise<DoorAnswer> {
  const { title, task, sub, plan, key, script } = wish;
  const settings = run?.settings ?? null;
  const project = run?.project ?? "";
  if (script !== undefined && isRestricted(settings)) {
    const message = "the profile of this run allows some tools only, and a script would use others; leave it out";
    return { ok: false, code: "policy-denied", message };
  }
  const profile = settings === null ? null : run?.profile;
  if (wish.runner !== undefined && script !== undefined) {
    const message = "a script has no other runner; leave one of the two out";
    return { ok: false, code: "bad-input", message };
  }
  const runner = script === undefined ? { runner: wish.runner ?? "mcp" } : { runner: "script", script };
  try {
    const about = task === undefined ? {} : { description: task };
    const input = { project, title, sub, parent, plan, key, profile, ...about, ...runner };
    const {
      run: made,
      door,
      warnings,
    } = (await askAs(`agent:${parent}`, dispatcher, "run.submit", input)) as OutputOf<"run.submit">;
    const where =
      door === null ? "" : `\nwhoever drives it connects to ${door.url} with the bearer token ${door.token}`;
    // What tests a project is not for a model to say.
    const told = warnings.filter(({ code }) => code !== "no-test");
    const warned = told.map(({ message }) => `\nwarning: ${message}`).join("");
    return { ok: true, text: `started ${made}; wait_run waits for it${where}${warned}`, exit: null };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}
