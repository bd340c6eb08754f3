// The runner whose assistant is a script. After a restart it goes through the same steps again; the door answers for those
// that are done, so it finds its place by itself.

import { unreachable } from "../../base/assert.ts";
import type { Door, DoorAnswer, Runner, RunnerJob, StopSignal } from "../../ports/runner.ts";
import { makesCall, type PlainStep } from "../../protocol/script.ts";
import { readScript } from "./script-reader.ts";

export class ScriptRunner implements Runner {
  readonly name = "script";

  async drive(job: RunnerJob, door: Door, signal: StopSignal): Promise<void> {
    const script = await readScript(job.script ?? "");
    if (!script.ok) {
      const { where, why } = script.refusal;
      await door.finish(false, where === "" ? why : `${where}: ${why}`);
      return;
    }
    const { steps, onMessage } = script.value;
    const all = [...steps, ...job.messages.flatMap(() => onMessage)];
    let calls = 0;
    for (const step of all) {
      if (signal.aborted) return;
      if (step.do === "fail") {
        await door.finish(false, step.text);
        return;
      }
      const answer = await take(step, door);
      if (!answer.ok) {
        const advice = answer.code === "deadlock" ? ` ${outOfDeadlock(job.run)}` : "";
        // By the number that everybody else calls it by; what is no call has none.
        const where = makesCall(step) ? `step ${calls} (${step.do})` : step.do;
        await door.finish(false, `${where}: ${answer.code}: ${answer.message}${advice}`);
        return;
      }
      if (makesCall(step)) calls += 1;
    }
    // A script cannot mend what was sent back to it.
    if (job.sentBack === null) await door.finish(true, "");
    else await door.finish(false, job.sentBack);
  }
}

/** A script cannot think of another way in the middle; whoever wrote it can, and whoever runs it need only do so again. */
function outOfDeadlock(run: string): string {
  return `The others go on. Once they are done: signalbox retry ${run}. For good: name all that the script changes in its plan, or claim it in one step before the first change.`;
}

function take(step: Exclude<PlainStep, { do: "fail" }>, door: Door): Promise<DoorAnswer> {
  switch (step.do) {
    case "claim":
      return door.claim(step.units);
    case "release":
      return door.release(step.units, step.setAside);
    case "read":
      return door.read(step.path, step.range);
    case "list":
      return door.list(step.path, step.depth);
    case "search":
      return door.search({ text: step.text, regex: step.regex, under: step.under });
    case "write":
    case "edit":
    case "delete":
    case "move":
      return door.change(step);
    case "patch":
      return door.patch(step.changes);
    case "run":
      return door.run(step.command);
    case "start":
      return door.start(step.name, step.command);
    case "input":
      return door.input(step.name, step.text, step.end);
    case "output":
      return door.output(step.name, step.from);
    case "stop":
      return door.stop(step.name);
    case "publish":
      return door.publish(step.name, step.path);
    case "process":
      return door.process(step.name);
    case "sleep":
      return door.sleep(step.ms);
    case "say":
      return door.say(step.text);
    case "ask":
      return door.ask(step.text);
    default:
      return unreachable(step);
  }
}
