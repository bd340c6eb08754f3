// Records a log as this release writes it, with the state that it folds to, into test/histories/VERSION. Later releases
// must fold it to the same state for ever (LG15). The inputs are fixed and the core is pure, so before a release the
// record may be made anew (--again); after it, never: that is the promise.
//
//   node scripts/record-history.ts [--again]

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { canonical } from "../src/base/canonical.ts";
import { eventVersions, type Logged } from "../src/core/events.ts";
import { evolve } from "../src/core/evolve.ts";
import { snapshotVersion, toPlain } from "../src/core/snapshot.ts";
import { makeState } from "../src/core/state.ts";
import { tellHistory } from "./history-inputs.ts";
import { HistoryRecorder } from "./history-recorder.ts";
import { root } from "./run.ts";

const statesEvery = 25;

main(process.argv.includes("--again"));

function main(again: boolean): void {
  const recorder = new HistoryRecorder();
  tellHistory(recorder);
  const missing = Object.keys(eventVersions).filter((type) => !recorder.events.some((event) => event.type === type));
  if (missing.length > 0) throw new Error(`the history does not meet: ${missing.join(", ")}`);
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  const folder = path.join(root, "test/histories", version);
  if (fs.existsSync(folder) && !again) throw new Error(`${folder} is there already; before a release, use --again`);
  fs.mkdirSync(folder, { recursive: true });
  const lines = recorder.events.map((event) => `${JSON.stringify(event)}\n`);
  fs.writeFileSync(path.join(folder, "events.jsonl"), lines.join(""));
  fs.writeFileSync(path.join(folder, "state.jsonl"), `${canonical(toPlain(recorder.state))}\n`);
  const expected = { version, snapshotVersion, events: lines.length, states: hashStates(recorder.events) };
  fs.writeFileSync(path.join(folder, "expected.json"), `${JSON.stringify(expected, null, 2)}\n`);
  console.log(`${folder}: ${lines.length} events`);
}

/** The hash of the state now and then and at the end, so that a later difference shows where it began. */
function hashStates(events: readonly Logged[]): { seq: number; sha256: string }[] {
  const state = makeState();
  return events.flatMap((event) => {
    evolve(state, event);
    if (event.seq % statesEvery !== 0 && event !== events.at(-1)) return [];
    return [
      {
        seq: event.seq,
        sha256: createHash("sha256")
          .update(canonical(toPlain(state)))
          .digest("hex"),
      },
    ];
  });
}
