import { describe, expect, test } from "vitest";
import { protocolError } from "../../protocol/errors.ts";
import { tryCli } from "../testing/try-cli.ts";

const base = {
  claim: "c_1",
  project: "p_1",
  family: "h_1",
  holder: "alice",
  units: ["file:a"],
  priority: 0,
  fence: null,
  fences: {},
  expiresAtMs: null,
  behind: [],
  code: null,
  message: null,
  ways: [],
  hint: null,
  cycle: null,
};
const granted = { ...base, state: "granted", held: true, expiresAtMs: 90_000, fence: 7, fences: { "file:a": 7 } };
const behind = [{ unit: "file:a", family: "h_0", holder: "bob", by: "lease", claim: "c_0" }];
const queued = { ...base, state: "queued", behind };
const words = ["claim", "--project", "p", "--unit", "file:a"];

describe("claim", () => {
  test("granted is success, with the fence", async () => {
    const tried = await tryCli([...words, "--json"], { "claim.make": granted });
    expect(tried.exitCode).toBe(0);
    expect(JSON.parse(tried.stdout)).toMatchObject({
      claim: "c_1",
      state: "granted",
      fence: 7,
      behind: [],
      code: null,
    });
    expect(tried.calls).toEqual([["claim.make", { project: "p", units: ["file:a"], ttlMs: 60_000, mode: "wait" }]]);
  });

  test("how long it lasts is what the daemon says, not what was asked for", async () => {
    const status = { nowMs: 60_000, openings: [] };
    const { stderr } = await tryCli([...words, "--ttl", "5m"], { "claim.make": granted, status });
    expect(stderr).toContain("Lasts 30s: signalbox renew c_1");
    const over = { ...granted, held: false, expiresAtMs: null };
    expect((await tryCli(words, { "claim.make": over, status })).stderr).toContain("Nothing of it is held any more");
  });

  test("queued without waiting is success, and says behind whom", async () => {
    const { exitCode, stdout } = await tryCli(words, { "claim.make": queued });
    expect(exitCode).toBe(0);
    expect(stdout).toBe("c_1 queued: file:a\n  behind bob for file:a\n");
  });

  test("what whoever claims has to know is told, whatever became of it, and ways out only of a refusal", async () => {
    const hint = "units have no wildcards";
    for (const made of [granted, queued, { ...base, state: "busy", code: "busy" }]) {
      const { stderr } = await tryCli(words, { "claim.make": { ...made, hint, ways: ["Wait for wildcards."] } });
      expect(stderr).toContain(`${hint}\n`);
      const isRefused = made.state === "busy";
      expect({ ...made, told: stderr.match(/wildcards/g)?.length }).toMatchObject({ told: isRefused ? 2 : 1 });
    }
  });

  test("queued after waiting is a time-out, and the claim keeps its place", async () => {
    const answers = { "claim.make": queued, "claim.get": queued, "claim.renew": queued };
    const { exitCode, stdout } = await tryCli([...words, "--wait", "0s", "--json"], answers);
    expect(exitCode).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ claim: "c_1", state: "queued" });
  });

  test("it renews while it waits, and takes the grant when it comes", async () => {
    let asked = 0;
    const answers = {
      "claim.make": queued,
      "claim.get": () => (++asked < 3 ? queued : granted),
      "claim.renew": queued,
    };
    const { exitCode, calls } = await tryCli([...words, "--wait", "1m", "--ttl", "3s", "--json"], answers);
    expect(exitCode).toBe(0);
    expect(calls.map(([name]) => name)).toEqual([
      "claim.make",
      "claim.get",
      "claim.renew",
      "claim.get",
      "claim.renew",
      "claim.get",
    ]);
    expect(calls[1]?.[1]).toEqual({ claim: "c_1", waitMs: 1000 });
  });

  test.each([
    ["busy", "busy", 3],
    ["refused", "deadlock", 3],
    ["timed-out", "timed-out", 6],
    ["holder-gone", "expired", 3],
  ])("%s is a refusal with its code", async (state, code, exit) => {
    const answers = { "claim.make": { ...base, state, code, message: "No." } };
    const { exitCode, stdout } = await tryCli([...words, "--json"], answers);
    expect(exitCode).toBe(exit);
    expect(JSON.parse(stdout)).toMatchObject({ claim: "c_1", state: "refused", code, ended: state });
  });

  test("a refusal without a claim has the same shape", async () => {
    const refusal = protocolError("bad-unit", { unit: "file:..", why: "the path leaves the project" });
    const { exitCode, stdout } = await tryCli([...words, "--json"], { "claim.make": refusal });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      claim: null,
      state: "refused",
      fence: null,
      behind: [],
      code: "bad-unit",
    });
  });

  test("no daemon is no refusal", async () => {
    const { exitCode, stdout } = await tryCli([...words, "--json"]);
    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "daemon-not-running" } });
  });
});
