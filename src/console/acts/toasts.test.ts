import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts } from "./toasts.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("what was done to the same thing before gives way, and cannot be taken back on its own", () => {
  const toasts = new Toasts();
  const undone: string[] = [];
  toasts.did({
    command: "signalbox ps",
    tone: "go",
    about: "r_1",
    title: "r_1 is paused",
    undo: () => undone.push("pause of r_1"),
  });
  toasts.did({
    command: "signalbox ps",
    tone: "go",
    about: "r_2",
    title: "r_2 is paused",
    undo: () => undone.push("pause of r_2"),
  });
  toasts.note({ tone: "stop", title: "Not done" });
  toasts.did({ command: "signalbox ps", tone: "go", about: "r_1", title: "r_1 goes on" });
  expect(toasts.read().map(({ title }) => title)).toEqual(["r_2 is paused", "Not done", "r_1 goes on"]);
  toasts.undoLast();
  toasts.undoLast();
  expect(undone).toEqual(["pause of r_2"]);
});

test("each goes by itself; trouble stays longer", () => {
  const toasts = new Toasts();
  toasts.did({ command: "signalbox ps", tone: "go", title: "done" });
  toasts.note({ tone: "stop", title: "not done" });
  vi.advanceTimersByTime(10_000);
  expect(toasts.read().map(({ title }) => title)).toEqual(["not done"]);
  vi.advanceTimersByTime(20_000);
  expect(toasts.read()).toEqual([]);
});

test("none goes while somebody points at it", () => {
  const toasts = new Toasts();
  toasts.did({ command: "signalbox ps", tone: "go", title: "done" });
  toasts.hold("hand");
  vi.advanceTimersByTime(60_000);
  toasts.did({ command: "signalbox ps", tone: "go", title: "newer" });
  toasts.letGo("hand");
  expect(toasts.read().map(({ title }) => title)).toEqual(["newer"]);
  vi.advanceTimersByTime(10_000);
  expect(toasts.read()).toEqual([]);
});

test("none goes with the hand while the keyboard is in it, nor with the keyboard while the hand is on it", () => {
  for (const [first, last] of [
    ["hand", "focus"],
    ["focus", "hand"],
  ] as const) {
    const toasts = new Toasts();
    toasts.did({ command: "signalbox ps", tone: "go", title: "done" });
    toasts.hold(first);
    toasts.hold(last);
    vi.advanceTimersByTime(10_000);
    toasts.letGo(first);
    expect(toasts.read()).toHaveLength(1);
    toasts.letGo(last);
    expect(toasts.read()).toEqual([]);
  }
});

test("one that is put away by its button holds no other", () => {
  const toasts = new Toasts();
  toasts.did({ command: "signalbox ps", tone: "go", title: "first" });
  toasts.did({ command: "signalbox ps", tone: "go", title: "second" });
  toasts.hold("hand");
  toasts.dismiss(toasts.read()[0]?.id ?? 0);
  vi.advanceTimersByTime(10_000);
  expect(toasts.read()).toEqual([]);
});

test("the newest act can be taken back for a minute, also when nothing is shown of it any more, and once", () => {
  const toasts = new Toasts();
  const undone: string[] = [];
  const did = (about: string): void =>
    toasts.did({ command: "signalbox ps", tone: "go", about, title: about, undo: () => undone.push(about) });
  did("r_1");
  vi.advanceTimersByTime(30_000);
  did("r_2");
  vi.advanceTimersByTime(20_000);
  expect(toasts.read()).toEqual([]);
  toasts.undoLast();
  toasts.undoLast();
  toasts.undoLast();
  expect(undone).toEqual(["r_2", "r_1"]);
  did("r_3");
  vi.advanceTimersByTime(61_000);
  toasts.undoLast();
  expect(undone).toEqual(["r_2", "r_1"]);
});
