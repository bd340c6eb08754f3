import { expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import { done } from "./act-result.ts";
import { brokenCall, unswept } from "./broken-call.ts";

const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", syscall: "write" });
const away = new Fault("keeper-unavailable", { retry: "later", message: "the keeper was lost" });

test("[EN51] of a command that broke off nobody knows how far it came; of a write, whether it was done", () => {
  const command = brokenCall("run", full);
  expect(command.answer).toMatchObject({ ok: false, code: "exit-unknown" });
  expect(command).toMatchObject({ report: { ok: false, exit: "unknown" }, look: true });
  expect(brokenCall("start", away)).toMatchObject({ answer: { code: "exit-unknown" }, report: { exit: null } });
  expect(brokenCall("start", away).report.unended).toBeUndefined();
  expect(brokenCall("start", away, "server").report.unended).toBe(true);
  const write = brokenCall("edit", away);
  expect(write).toMatchObject({ answer: { code: "keeper-unavailable" }, look: true });
  expect(brokenCall("read", full)).toEqual({
    answer: { ok: false, code: "workspace-unavailable", message: full.message },
    report: expect.objectContaining({ ok: false }) as unknown,
  });
});

test("[EN51] what is no fault of the world is thrown on", () => {
  const mistake = new Error("a mistake of ours");
  expect(() => brokenCall("run", mistake)).toThrow(mistake);
  expect(() => unswept(done(""), mistake)).toThrow(mistake);
});

test("[EN51] a call whose changes are not safe is no success, and keeps what is known of its end", () => {
  const ended = { ...done("built"), answer: { ok: true, text: "built", exit: 0 } } as const;
  expect(unswept(ended, full).answer).toMatchObject({
    ...{ ok: false, code: "workspace-unavailable", text: "built" },
    message: expect.stringMatching(/^it ended with 0, but what was changed could not be brought to safety/) as unknown,
  });
  expect(unswept(ended, full).report).toMatchObject({ ok: false });
  const many = new Fault("too-large", { retry: "never", message: "more than 250000 paths have changed" });
  expect(unswept(ended, many).answer).toMatchObject({ ok: false, code: "too-large" });
});
