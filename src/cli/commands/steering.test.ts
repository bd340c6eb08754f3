import { describe, expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { protocolError } from "../../protocol/errors.ts";
import { tryCli } from "../testing/try-cli.ts";

const queued = makeRun("r_1", { state: "queued", waitsFor: { policy: "nightly", limit: 2 } });

describe("whoever steers a run is told what happened; scripts get the id alone", () => {
  test.each([
    [
      ["pause", "r_1"],
      "run.pause",
      {},
      "r_1 is paused, and keeps what it holds. Let it go on with: signalbox resume r_1",
    ],
    [["resume", "r_1"], "run.resume", {}, "r_1 is resumed. It is queued, for room under policy nightly (2 at once)."],
    [["stop", "r_1"], "run.stop", { runs: ["r_1", "r_2"] }, "r_1 is stopped: it ends as terminated"],
    [["kill", "r_1"], "run.kill", { runs: ["r_1"] }, "r_1 is killed: it ends as terminated"],
    [["approve", "r_1"], "run.approve", {}, "r_1 is approved. It is queued"],
    [["reject", "r_1"], "run.reject", {}, "r_1 is rejected"],
    [["return", "r_1", "-m", "no"], "run.return", {}, "r_1 is sent back with your message. It is queued"],
    [["answer", "r_1", "yes"], "run.answer", {}, "r_1 has your answer. It is queued"],
    [["answer", "r_1", "allow", "--question", "q_7"], "run.answer", {}, "r_1 has your answer. It is queued"],
    [["continue", "r_1", "more"], "run.continue", {}, "r_1 is taken up again with your message. It is queued"],
    [["retry", "r_0"], "run.retry", { run: "r_1" }, "r_1 is a new run of the same task as r_0. It is queued"],
    [["rm", "r_1"], "run.remove", {}, "r_1 is off the lists"],
    [["policy", "remove", "nightly"], "policy.remove", {}, "The policy nightly is removed."],
  ] as const)("%j", async (words, op, answer, sentence) => {
    const { exitCode, stdout, stderr } = await tryCli(words, { [op]: answer, "run.get": { run: queued } });
    expect(stdout).toBe(`${words[0] === "policy" ? "nightly" : "r_1"}\n`);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(0);
  });

  test("rejecting says what of the run stays: a part that had landed", async () => {
    const run = makeRun("r_1", { state: "rejected", landed: "c".repeat(40) });
    const { stderr } = await tryCli(["reject", "r_1"], { "run.reject": {}, "run.get": { run } });
    expect(stderr).toContain("r_1 is rejected: what of it had landed stays, the rest does not count");
  });

  test("stopping says which sub-runs went along", async () => {
    const { stderr } = await tryCli(["stop", "r_1"], { "run.stop": { runs: ["r_1", "r_2", "r_3"] } });
    expect(stderr).toContain("So are r_2, r_3.");
  });

  test("how it stands is a courtesy: without an answer it goes without", async () => {
    const answers = { "run.resume": {}, "run.get": protocolError("not-found", { kind: "run", id: "r_1" }) };
    const { exitCode, stderr } = await tryCli(["resume", "r_1"], answers);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "r_1 is resumed.\n" });
  });
});

describe("what a run waits for and who decided", () => {
  const nowMs = 100_000;

  test("stands in the list", async () => {
    const answers = { "run.list": { runs: [queued], next: null, total: 1, nowMs } };
    const { stdout } = await tryCli(["ps"], answers);
    expect(stdout).toContain("for room under policy nightly (2 at once)");
  });

  test("stands in the details, with the end of what the acceptance command wrote", async () => {
    const run = makeRun("r_1", {
      state: "review",
      limitPolicy: "brief",
      approvalPolicy: "careful",
      tested: { ok: false, exit: 2, event: 7 },
    });
    const page = { events: [{ seq: 7, type: "run.tested", summary: "one\ntwo\n" }], next: 7, more: false, at: 7 };
    const answers = { "run.get": { run }, status: { nowMs, openings: [] }, "events.read": page };
    const { stdout, calls } = await tryCli(["inspect", "r_1"], answers);
    expect(stdout).toMatch(/acceptance +failed: its command ended with 2\n +\| one\n +\| two\n/);
    expect(stdout).toMatch(/time limit +by policy brief\n/);
    expect(stdout).toMatch(/approval +asked for by policy careful\n/);
    expect(calls).toContainEqual(["events.read", { after: 6, limit: 1 }]);
  });
});

describe("up beside a daemon that runs", () => {
  const status = { pid: 1, url: "http://127.0.0.1:4180", version: "0.1.0" };
  const answers = { status, login: { url: "http://127.0.0.1:4180/login?once=x", expiresInMs: 1 } };

  test("says that another port was passed over", async () => {
    const asked = await tryCli(["up", "-d", "--port", "5000"], answers);
    expect(asked.exitCode).toBe(0);
    expect(asked.stderr).toContain("--port 5000 was passed over: the daemon that runs keeps port 4180.");
    const { stdout } = await tryCli(["up", "--port", "5000", "--json"], answers);
    expect(JSON.parse(stdout)).toMatchObject({ warning: expect.stringContaining("--port 5000") as string });
  });

  test.each([[["up"]], [["up", "--port", "0"]], [["up", "--port", "4180"]]])("%j has nothing to say", async (words) => {
    expect((await tryCli(words, answers)).stderr).toBe("");
  });
});
