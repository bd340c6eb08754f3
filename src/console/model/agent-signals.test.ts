import { expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { activityOf, countWell, lookOfService, noteOf, toPortUrl } from "./agent-signals.ts";

test.each([
  [{ state: "up", healthy: true }, "Healthy", "go"],
  [{ state: "up", healthy: null }, "Up", "go"],
  [{ state: "up", healthy: false }, "Not healthy", "stop"],
  [{ state: "delayed", healthy: null }, "Starts again", "stop"],
  [{ state: "down", healthy: null, wanted: false }, "Stopped", "rest"],
  [{ state: "down", healthy: null }, "Down", "rest"],
] as const)("a service that is %o looks %s", (given, word, tone) => {
  expect(lookOfService(makeService("web", given))).toMatchObject({ word, tone });
});

test("what an agent does is what is wrong with it, how far it is, or that it is ready", () => {
  const db = makeService("db");
  const starting = makeService("web", { state: "starting", healthy: null });
  const broken = makeService("web", { state: "delayed", healthy: null, because: "it ended with 3" });
  expect(activityOf(makeAgent("a_1", { services: [db] }))).toEqual({ words: "Ready", tone: "go" });
  expect(activityOf(makeAgent("a_1", { state: "spawning", services: [db, starting] })).words).toBe("1 of 2 up");
  expect(activityOf(makeAgent("a_1", { services: [db, broken] }))).toEqual({
    words: "web: it ended with 3",
    tone: "stop",
  });
  expect(activityOf(makeAgent("a_1", { state: "error", because: "web: gone" })).words).toBe("web: gone");
  expect(activityOf(makeAgent("a_1", { run: "r_1", activity: "working" })).words).toBe("Works on r_1");
  expect(activityOf(makeAgent("a_1", { run: "r_1", activity: "awaiting-input" }))).toEqual({
    words: "Waits for your answer to r_1",
    tone: "you",
  });
  expect(activityOf(makeAgent("a_1", { removing: true })).words).toBe("is being removed");
});

test("services that somebody has stopped are not counted as missing", () => {
  const off = makeService("queue", { state: "down", healthy: null, wanted: false });
  const done = makeService("setup", { state: "completed", healthy: null });
  expect(countWell(makeAgent("a_1", { services: [off, done, makeService("web")] }))).toEqual({ well: 2, of: 2 });
  expect(noteOf(off)).toBe("stopped by somebody");
});

test("a service that waits says for what", () => {
  const needs = [{ service: "db", until: "healthy" as const }];
  expect(noteOf(makeService("web", { state: "waiting", needs }))).toBe("for db to be healthy");
});

test("only addresses of this machine become links", () => {
  expect(toPortUrl("127.0.0.2:24916")).toBe("http://127.0.0.2:24916/");
  for (const address of ["javascript:alert(1)", "10.0.0.1:80", "127.0.0.2:80/../x", "127.0.0.2"])
    expect(toPortUrl(address)).toBeUndefined();
});
