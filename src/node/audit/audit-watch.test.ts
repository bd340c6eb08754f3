import { expect, test } from "vitest";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { Finding } from "../../protocol/wire/audit.ts";
import { auditEveryMs, AuditWatch } from "./audit-watch.ts";

const finding: Finding = { kind: "mount", what: "/srv/x", sinceMs: null, why: "", would: "unmount it", advice: null };

test("[AU7] it is looked once in an hour, and what was found is told once until it changes", async () => {
  const clock = new TestClock();
  const said: string[] = [];
  const answers: Finding[][] = [[finding], [finding], [], [finding]];
  let looked = Promise.withResolvers<void>();
  const look = async (): Promise<Finding[]> => {
    // The next timer is set after this.
    setImmediate(() => looked.resolve());
    return answers.shift() ?? [];
  };
  const watch = new AuditWatch({ clock, look, say: (sentence) => void said.push(sentence) });
  const asked = watch.over({ look, reap: async () => [] });
  watch.begin();
  expect(asked.last).toBeNull();
  const counts: (number | undefined)[] = [];
  for (let hour = 0; hour < 4; hour++) {
    looked = Promise.withResolvers<void>();
    clock.advance(auditEveryMs);
    await looked.promise;
    counts.push(asked.last?.findings);
  }
  expect(counts).toEqual([1, 1, 0, 1]);
  expect(said).toHaveLength(2);
  expect(said[0]).toBe("audit: 1 without an owner: mount /srv/x. signalbox audit says more.");
  watch.close();
  expect(clock.nextMs).toBeUndefined();
});

test("[AU7] a look that fails is told, and the next one comes all the same", async () => {
  const clock = new TestClock();
  const said = Promise.withResolvers<string>();
  const look = (): Promise<never> => Promise.reject(new Error("no /proc"));
  const watch = new AuditWatch({ clock, look, say: said.resolve });
  watch.begin();
  clock.advance(auditEveryMs);
  expect(await said.promise).toBe("audit: it could not be looked: no /proc");
  await new Promise(setImmediate);
  expect(clock.nextMs).toBe(auditEveryMs);
  watch.close();
});
