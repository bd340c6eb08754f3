// One queue of what needs a person.

import { refuse } from "../../base/result.ts";
import { isWarningSeen } from "../../core/warning/seen-warnings.ts";
import { toWireError } from "../../protocol/errors.ts";
import type { inboxOperations } from "../../protocol/operations/inbox.ts";
import type { Handlers } from "../context.ts";
import { besidesOf } from "../health-outlook.ts";
import { toInbox } from "../views/inbox-view.ts";
import { findProject } from "../views/project-view.ts";

export const inboxHandlers: Handlers<keyof typeof inboxOperations> = {
  inbox: (context, { project, kind, at }, _caller, reply) =>
    context.readAt(
      at,
      (state, nowMs) => {
        const only = project === undefined ? undefined : findProject(state, project).id;
        const besides = at === undefined ? besidesOf(context.parts, state, nowMs) : undefined;
        const items = toInbox(state, nowMs, besides).filter(
          (item) => (only === undefined || item.project === only) && (kind === undefined || item.kind === kind),
        );
        return { items, nowMs };
      },
      reply,
    ),
  "inbox.see": (context, { item, undo = false }, caller, reply) => {
    if (context.state.runs.has(item))
      return context.submit(caller, { type: "run.see", run: item, undo }, reply, () => ({}));
    const { state } = context;
    const nowMs = context.parts.engine.nowMs();
    const isThere = toInbox(state, nowMs, besidesOf(context.parts, state, nowMs)).some(
      ({ id, canBeSeen }) => id === item && canBeSeen,
    );
    if (!isThere && !isWarningSeen(state, item, nowMs))
      return reply(refuse(toWireError("not-found", { kind: item.startsWith("r_") ? "run" : "warning", id: item })));
    return context.submit(caller, { type: "warning.see", warning: item, undo }, reply, () => ({}));
  },
  "run.see": (context, { run }, caller, reply) =>
    context.submit(caller, { type: "run.see", run, undo: false }, reply, () => ({})),
};
