import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { append } from "../../test/contracts/event-store.contract.ts";
import { makeEvent } from "../../test/contracts/sample-events.ts";
import { makeSqliteDisk, type SqliteDisk } from "../../test/contracts/sqlite-disk.ts";
import { checkLog } from "../adapters/store/check-log.ts";
import { examine } from "./doctor.ts";

let disk: SqliteDisk;
beforeEach(async () => {
  disk = makeSqliteDisk();
  const store = disk.open();
  await append(
    store,
    Array.from({ length: 600 }, (_, at) => makeEvent(at + 1)),
  );
  await store.close();
});
afterEach(() => disk.remove());

describe("the doctor looks through the log", () => {
  const logCheck = async (): Promise<unknown> =>
    (await examine(path.dirname(disk.log))).checks.find(({ name }) => name === "log");

  test("[LG3] a whole one is whole; damage is named by its place, and the doctor does not say ok", async () => {
    expect(await logCheck()).toEqual({
      name: "log",
      ok: true,
      needed: true,
      detail: "all 600 events are whole",
      fix: null,
    });
    disk.flipByte(400);
    expect(await logCheck()).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^event 400 of 600 in .*log\.db is damaged: /) as string,
      fix: expect.stringContaining("recovery.md") as string,
    });
    expect((await examine(path.dirname(disk.log))).ok).toBe(false);
  });

  test("without time for all of it, it says how far it got", async () => {
    expect(await checkLog(disk.log, 0)).toEqual({ checked: 0, events: 600, damage: null });
    expect(await checkLog(disk.log, 60_000)).toEqual({ checked: 600, events: 600, damage: null });
  });

  test("a home without a log has nothing to look through", async () => {
    const { checks } = await examine(path.join(path.dirname(disk.log), "elsewhere"));
    expect(checks.find(({ name }) => name === "log")).toMatchObject({ ok: true, detail: "there is none yet" });
  });
});

describe("the doctor looks for a way to get images", () => {
  test("and goes without where there is none", async () => {
    const before = process.env["PATH"];
    const look = async (): Promise<unknown> =>
      (await examine(path.dirname(disk.log))).checks.find(({ name }) => name === "images");
    expect(await look()).toMatchObject({ needed: false });
    process.env["PATH"] = path.dirname(disk.log);
    onTestFinished(() => void (process.env["PATH"] = before));
    expect(await look()).toMatchObject({
      ok: false,
      needed: false,
      detail: expect.stringMatching(/^podman: .*; docker: /) as string,
      fix: expect.stringContaining("podman") as string,
    });
  });
});
