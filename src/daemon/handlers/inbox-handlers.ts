// One queue of what needs a person.

import type { inboxOperations } from "../../protocol/operations/inbox.ts";
import type { Handlers } from "../context.ts";
import { warningsOf } from "../health-outlook.ts";
import { toInbox } from "../views/inbox-view.ts";
import { findProject } from "../views/project-view.ts";

export const inboxHandlers: Handlers<keyof typeof inboxOperations> = {
  inbox: (context, { project, kind, at }, _caller, reply) =>
    context.readAt(
      at,
      (state, nowMs) => {
        const only = project === undefined ? undefined : findProject(state, project).id;
        const warnings = at === undefined ? warningsOf(state, context.parts.seen, nowMs) : [];
        const items = toInbox(state, nowMs, warnings).filter(
          (item) => (only === undefined || item.project === only) && (kind === undefined || item.kind === kind),
        );
        return { items, nowMs };
      },
      reply,
    ),
  "run.see": (context, { run }, caller, reply) => context.submit(caller, { type: "run.see", run }, reply, () => ({})),
};
