import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const keeper = {
  ...{ kind: "keeper", what: "k1, process 7", sinceMs: 1000, why: "it has the mark", would: "end it", advice: null },
};
const workspace = { ...keeper, kind: "workspace", what: "/srv/r_9", would: null, advice: "look into it first" };
const head = { home: "/home", atMs: 61_000 };

test("[AU4] what was found is a table, and says what would be done and what is left to a person", async () => {
  const { stdout, stderr, exitCode, calls } = await tryCli(["audit"], {
    audit: { ...head, findings: [keeper, workspace] },
  });
  expect(calls).toEqual([["audit", {}]]);
  expect(stdout).toMatch(/keeper +1m +k1, process 7 +end it +it has the mark/);
  expect(stdout).toMatch(/workspace .*leave it to you/);
  expect(stderr).toContain("/srv/r_9: look into it first");
  expect(stderr).toContain("signalbox audit --reap");
  expect(exitCode).toBe(9);
});

test("[AU4] where nothing is left, that is said, and it ends well", async () => {
  const { stdout, exitCode } = await tryCli(["audit"], { audit: { ...head, findings: [] } });
  expect([stdout, exitCode]).toEqual(["Everything has an owner: nothing is left of anybody who is gone.\n", 0]);
});

test("[AU5] what was done is told, and what could not be done with its reason", async () => {
  const findings = [
    { ...keeper, done: "it has ended", failed: null },
    { ...keeper, what: "k2", done: null, failed: "it does not go" },
  ];
  const { stdout, exitCode, calls } = await tryCli(["audit", "--reap"], { "audit.reap": { ...head, findings } });
  expect(calls).toEqual([["audit.reap", {}]]);
  expect(stdout).toMatch(/k1, process 7 +it has ended/);
  expect(stdout).toMatch(/k2 +it could not be done: it does not go/);
  expect(exitCode).toBe(9);
});
