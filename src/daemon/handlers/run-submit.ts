// Takes a run in: reads its script, keeps the bytes, and only then asks the engine.

import { readScript } from "../../adapters/runner/script-reader.ts";
import { isMore } from "../../core/egress/egress.ts";
import { ok, type Result } from "../../base/result.ts";
import { ProtocolError, protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Script } from "../../protocol/script.ts";
import type { Caller, Context } from "../context.ts";
import { findProject } from "../views/project-view.ts";
import { openDoor } from "./door-handlers.ts";
import { idOf } from "./id-of.ts";
import { mustBePerson } from "./must-be-person.ts";
import { mustKnow } from "./must-know.ts";

export async function submitRun(
  context: Context,
  input: ParsedInputOf<"run.submit">,
  caller: Caller,
): Promise<OutputOf<"run.submit">> {
  const { id: project, egress: granted } = findProject(context.state, input.project);
  const { runners, nodes, blobs } = context.parts;
  mustKnow("runner", input.runner, runners);
  mustKnow("node", input.node, nodes);
  const script = await parseOwnScript(input);
  const title = input.title ?? script?.task;
  if (title === undefined)
    throw protocolError("bad-input", { where: "title", why: "a run without a script needs a title" });
  const bytes = input.script === undefined ? null : await blobs.put(new TextEncoder().encode(input.script));
  const { description, acceptance, runner, profile, node, priority, tags, dependsOn, parent, sub, key, noCage } = input;
  // Lifting the cage is for people.
  if (noCage) mustBePerson(caller, "a run without a cage");
  const { egress } = input;
  checkEgress(input);
  if (egress !== undefined && isMore(egress, granted.kind)) mustBePerson(caller, "a run with more of the network");
  const run = await new Promise<string>((resolve, reject) => {
    context.submit(
      caller,
      {
        type: "run.submit",
        project,
        title,
        description,
        acceptance,
        runner,
        profile,
        node,
        priority,
        tags,
        plan: input.plan ?? script?.plan ?? [],
        dependsOn,
        script: bytes,
        parent,
        sub,
        key,
        noCage: noCage ? true : undefined,
        egress,
      },
      (outcome: Result<string, ConstructorParameters<typeof ProtocolError>[0]>) => {
        if (outcome.ok) resolve(outcome.value);
        else reject(new ProtocolError(outcome.refusal));
      },
      idOf,
    );
  });
  // Whoever asks again, with the same key, gets in as well.
  const door = runner === context.parts.doors.name ? await openDoor(context, run, "one-more") : null;
  return { run, task: context.state.runs.get(run)?.task ?? "", door };
}

/** What a run has of the network is a matter of its cage, and sub-runs share that of their root. */
function checkEgress({ egress, noCage, sub }: ParsedInputOf<"run.submit">): void {
  if (egress === undefined || (!noCage && !sub)) return;
  const why = sub ? "a sub-run has the network of its root" : "without a cage a run has all of the network";
  throw protocolError("bad-input", { where: "egress", why });
}

async function parseOwnScript(input: ParsedInputOf<"run.submit">): Promise<Script | undefined> {
  if (input.script === undefined) {
    if (input.runner !== "script") return undefined;
    throw protocolError("bad-input", { where: "script", why: "the script runner needs a script" });
  }
  const script = input.runner === "script" ? await readScript(input.script) : ok(undefined);
  if (script.ok) return script.value;
  const { where, why } = script.refusal;
  throw protocolError("bad-script", { where, why });
}
