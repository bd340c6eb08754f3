// How long property tests search. `SIGNALBOX_PROP_RUNS=20 npm run unit` searches twenty times as long as usual.

const factor = Number(process.env["SIGNALBOX_PROP_RUNS"] ?? "1");

export function runsOf(usual: number): number {
  return Math.max(1, Math.round(usual * (Number.isFinite(factor) ? factor : 1)));
}
