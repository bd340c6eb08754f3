// Every planted bug.

import { agentMutants } from "./agent-mutants.ts";
import { engineMutants } from "./engine-mutants.ts";
import { handOverMutants } from "./hand-over-mutants.ts";
import { landingMutants } from "./landing-mutants.ts";
import { leaseMutants } from "./lease-mutants.ts";
import { lodgingMutants } from "./lodging-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { orderMutants } from "./order-mutants.ts";
import { raiseMutants } from "./raise-mutants.ts";
import { runMutants } from "./run-mutants.ts";
import { stuckMutants } from "./stuck-mutants.ts";
import { unitMutants } from "./unit-mutants.ts";

export const mutants: readonly Mutant[] = [
  ...unitMutants,
  ...orderMutants,
  ...leaseMutants,
  ...runMutants,
  ...raiseMutants,
  ...handOverMutants,
  ...stuckMutants,
  ...landingMutants,
  ...engineMutants,
  ...agentMutants,
  ...lodgingMutants,
];
