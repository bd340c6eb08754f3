import { appendRows } from "./append.ts";
import { claimsFlat, claimsInProcess } from "./claims-in-process.ts";
import { claimsWireRows } from "./claims-wire.ts";
import { fanOutRows } from "./fan-out.ts";
import { fold, snapshot } from "./fold.ts";
import { handOff } from "./hand-off.ts";
import type { RowMaker } from "./row-maker.ts";

export const allRows: readonly RowMaker[] = [
  claimsInProcess,
  claimsFlat,
  ...claimsWireRows,
  handOff,
  ...appendRows,
  ...fanOutRows,
  fold,
  snapshot,
];
