import { expect, test } from "vitest";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { Finding } from "../../protocol/wire/audit.ts";
import type { Reaped } from "./audit.ts";
import { AuditWatch } from "./audit-watch.ts";

const finding: Finding = { kind: "mount", what: "/srv/x", sinceMs: null, why: "", would: "unmount it", advice: null };
const clock = new TestClock();
const dayMs = 86_400_000;
const tempOf = (agoMs: number): Finding => ({
  ...{ kind: "temp", what: "/srv/probe-1", sinceMs: clock.wallMs() - agoMs, why: "", would: "remove it", advice: null },
});

function watching(answers: Finding[][]): {
  readonly watch: AuditWatch;
  readonly said: string[];
  readonly gone: string[];
} {
  const said: string[] = [];
  const gone: string[] = [];
  const reap = async (may: (each: Finding) => boolean = () => true): Promise<Reaped[]> =>
    (answers.shift() ?? []).map((each) => {
      if (may(each)) gone.push(each.what);
      return { ...each, done: may(each) ? "it was removed" : null, failed: null };
    });
  const audit = { look: async () => answers.shift() ?? [], reap };
  return { watch: new AuditWatch({ clock, audit, say: (sentence) => void said.push(sentence) }), said, gone };
}

test("[AU7] what was found is told once until it changes, and counted", async () => {
  const { watch, said } = watching([[finding], [finding], [], [finding]]);
  expect(watch.last).toBeNull();
  const counts: (number | undefined)[] = [];
  for (let round = 0; round < 4; round++) {
    expect(await watch.tidy(false)).toBe(0);
    counts.push(watch.last?.findings);
  }
  expect(counts).toEqual([1, 1, 0, 1]);
  expect(said).toHaveLength(2);
  expect(said[0]).toBe("audit: 1 without an owner: mount /srv/x. signalbox audit says more.");
});

test("[AU7] of all that is found only temporary files go by themselves, when they are a day old", async () => {
  const all = [finding, tempOf(dayMs - 1), tempOf(dayMs + 1)];
  const { watch, gone } = watching([all, all]);
  expect(await watch.tidy(true)).toBe(1);
  expect(gone).toEqual([]);
  expect(await watch.tidy(false)).toBe(1);
  expect(gone).toEqual(["/srv/probe-1"]);
  expect(watch.last?.findings).toBe(2);
});
