// Every face ends here: a name and some input from somebody, and one answer. Whatever goes wrong is an error of the
// catalogue.

import { refuse } from "../base/result.ts";
import { ProtocolError, toWireError, type WireError } from "../protocol/errors.ts";
import { findOperation, type OperationName } from "../protocol/operations.ts";
import { parseInput } from "../protocol/parse-input.ts";
import type { Caller, Context, Handlers, Reply } from "./context.ts";
import { auditHandlers } from "./handlers/audit-handlers.ts";
import { claimHandlers } from "./handlers/claim-handlers.ts";
import { demoHandlers } from "./handlers/demo-handlers.ts";
import { diskHandlers } from "./handlers/disk-handlers.ts";
import { doorHandlers } from "./handlers/door-handlers.ts";
import { execHandlers } from "./handlers/exec-handlers.ts";
import { faceHandlers } from "./handlers/face-handlers.ts";
import { imageHandlers } from "./handlers/image-handlers.ts";
import { subscriptionHandlers } from "./handlers/subscription-handlers.ts";
import { maintenanceHandlers } from "./handlers/maintenance-handlers.ts";
import { inboxHandlers } from "./handlers/inbox-handlers.ts";
import { modelHandlers } from "./handlers/model-handlers.ts";
import { statsHandlers } from "./handlers/stats-handlers.ts";
import { agentHandlers } from "./handlers/agent-handlers.ts";
import { profileHandlers } from "./handlers/profile-handlers.ts";
import { policyHandlers, projectHandlers } from "./handlers/project-handlers.ts";
import { reviewHandlers } from "./handlers/review-handlers.ts";
import { runHandlers } from "./handlers/run-handlers.ts";
import { runnerHandlers } from "./handlers/runner-handlers.ts";
import { serviceHandlers } from "./handlers/service-handlers.ts";
import { stateHandlers } from "./handlers/state-handlers.ts";
import { stepHandlers } from "./handlers/step-handlers.ts";
import { storyHandlers } from "./handlers/story-handlers.ts";
import { taskHandlers } from "./handlers/task-handlers.ts";
import { templateHandlers } from "./handlers/template-handlers.ts";
import { terminalHandlers } from "./handlers/terminal-handlers.ts";
import { systemHandlers } from "./handlers/system-handlers.ts";

const handlers: Handlers<OperationName> = {
  ...systemHandlers,
  ...projectHandlers,
  ...policyHandlers,
  ...profileHandlers,
  ...agentHandlers,
  ...serviceHandlers,
  ...execHandlers,
  ...templateHandlers,
  ...faceHandlers,
  ...runnerHandlers,
  ...inboxHandlers,
  ...runHandlers,
  ...stepHandlers,
  ...storyHandlers,
  ...doorHandlers,
  ...taskHandlers,
  ...reviewHandlers,
  ...claimHandlers,
  ...modelHandlers,
  ...statsHandlers,
  ...diskHandlers,
  ...maintenanceHandlers,
  ...demoHandlers,
  ...auditHandlers,
  ...stateHandlers,
  ...imageHandlers,
  ...subscriptionHandlers,
  ...terminalHandlers,
};

type AnyHandler = (context: Context, input: unknown, caller: Caller, reply: Reply) => void;

export class Dispatcher {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Answers exactly once. */
  dispatch(name: string, input: unknown, caller: Caller, reply: Reply): void {
    const found = findOperation(name);
    if (found === undefined)
      return reply(refuse(toWireError("not-found", { kind: "operation", id: name.slice(0, 60) })));
    if (caller.face === "mcp" && found.operation.mcp === null) {
      return reply(refuse(toWireError("forbidden", { what: name })));
    }
    const parsed = parseInput(found.operation.input, input ?? {});
    if (!parsed.ok) return reply(refuse(toBadInput(parsed.refusal)));
    try {
      (handlers[found.name] as AnyHandler)(this.#context, parsed.value, caller, reply);
    } catch (error) {
      reply(refuse(this.#context.toThrown(error)));
    }
    return undefined;
  }
}

/** Asks as an agent, and throws a ProtocolError when the answer is no. */
export function askAs(
  actor: string,
  dispatcher: Dispatcher,
  name: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(name, input, { actor, face: "mcp", signal }, (outcome) => {
      if (outcome.ok) resolve(outcome.value);
      else reject(new ProtocolError(outcome.refusal));
    });
  });
}

function toBadInput({ where, why }: { readonly where: string; readonly why: string }): WireError {
  return toWireError("bad-input", { where, why });
}
