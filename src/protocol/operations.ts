// The one table of what can be asked. Everything that faces the outside is derived from it.

import type { z } from "zod";
import type { Operation } from "./operation.ts";
import { agentOperations } from "./operations/agent.ts";
import { auditOperations } from "./operations/audit.ts";
import { claimOperations } from "./operations/claim.ts";
import { demoOperations } from "./operations/demo.ts";
import { diskOperations } from "./operations/disk.ts";
import { doorOperations } from "./operations/door.ts";
import { execOperations } from "./operations/exec.ts";
import { faceOperations } from "./operations/face.ts";
import { imageOperations } from "./operations/image.ts";
import { inboxOperations } from "./operations/inbox.ts";
import { maintenanceOperations } from "./operations/maintenance.ts";
import { modelOperations } from "./operations/model.ts";
import { statsOperations } from "./operations/stats.ts";
import { policyOperations } from "./operations/policy.ts";
import { profileOperations } from "./operations/profile.ts";
import { projectOperations } from "./operations/project.ts";
import { reviewOperations } from "./operations/review.ts";
import { runnerOperations } from "./operations/runner.ts";
import { runOperations } from "./operations/run.ts";
import { serviceOperations } from "./operations/service.ts";
import { stepOperations } from "./operations/step.ts";
import { storyOperations } from "./operations/story.ts";
import { stateOperations } from "./operations/state.ts";
import { systemOperations } from "./operations/system.ts";
import { subscriptionOperations } from "./operations/subscription.ts";
import { taskOperations } from "./operations/task.ts";
import { templateOperations } from "./operations/template.ts";
import { terminalOperations } from "./operations/terminal.ts";

export const operations = {
  ...systemOperations,
  ...projectOperations,
  ...policyOperations,
  ...profileOperations,
  ...runnerOperations,
  ...inboxOperations,
  ...runOperations,
  ...stepOperations,
  ...storyOperations,
  ...doorOperations,
  ...taskOperations,
  ...reviewOperations,
  ...claimOperations,
  ...modelOperations,
  ...subscriptionOperations,
  ...statsOperations,
  ...diskOperations,
  ...maintenanceOperations,
  ...demoOperations,
  ...auditOperations,
  ...stateOperations,
  ...imageOperations,
  ...agentOperations,
  ...serviceOperations,
  ...execOperations,
  ...templateOperations,
  ...faceOperations,
  ...terminalOperations,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** What a caller may write: fields with a default may be left out. */
export type InputOf<Name extends OperationName> = z.input<(typeof operations)[Name]["input"]>;
/** What the handler gets: every default filled in. */
export type ParsedInputOf<Name extends OperationName> = z.output<(typeof operations)[Name]["input"]>;
export type OutputOf<Name extends OperationName> = z.output<(typeof operations)[Name]["output"]>;

export const operationNames = Object.keys(operations) as OperationName[];

type Named = { readonly name: OperationName; readonly operation: Operation };

const byName: ReadonlyMap<string, Named> = new Map(
  operationNames.map((name) => [name, { name, operation: operations[name] }]),
);

/** Looks up a name that somebody sent. */
export function findOperation(name: string): Named | undefined {
  return byName.get(name);
}
