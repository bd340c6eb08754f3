import { noCages, whos } from "../support/keeper-rig.ts";
import { realMachine, simMachine } from "../support/service-machines.ts";
import { describeServices } from "./services.contract.ts";

if (!noCages) for (const who of whos) describeServices(`a real machine, as ${who}`, () => realMachine(who));
describeServices("a simulated machine", simMachine);
