import { noCages, whos } from "../support/keeper-rig.ts";
import { realMachine, simMachine } from "../support/terminal-machines.ts";
import { describeTerminals } from "./terminals.contract.ts";

if (!noCages) for (const who of whos) describeTerminals(`a real machine, as ${who}`, () => realMachine(who));
describeTerminals("a simulated machine", simMachine);
