import { appendRows } from "./append.ts";
import { assistantRows } from "./assistants.ts";
import { cageCommand } from "./cage.ts";
import { claimsFlat, claimsInProcess } from "./claims-in-process.ts";
import { claimsWireRows } from "./claims-wire.ts";
import { doorRows } from "./door.ts";
import { fanOutRows } from "./fan-out.ts";
import { fold, snapshot } from "./fold.ts";
import { handOff } from "./hand-off.ts";
import type { RowMaker } from "./row-maker.ts";
import { superviseRows } from "./supervise.ts";
import { terminalRows } from "./terminals.ts";
import { workspaceRows } from "./workspaces.ts";

export const allRows: readonly RowMaker[] = [
  claimsInProcess,
  claimsFlat,
  ...claimsWireRows,
  handOff,
  ...appendRows,
  ...fanOutRows,
  fold,
  snapshot,
  ...workspaceRows,
  cageCommand,
  ...doorRows,
  ...superviseRows,
  ...terminalRows,
  ...assistantRows,
];
