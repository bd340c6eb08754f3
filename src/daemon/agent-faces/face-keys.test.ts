import { expect, test } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import { FaceKeys } from "./face-keys.ts";

const web = { agent: "a_1", face: "web" };
const others = [
  { agent: "a_2", face: "web" },
  { agent: "a_1", face: "raw" },
  { agent: "a_1 web", face: "" },
];

function makeKeys(): {
  keys: FaceKeys;
  restart: (token?: string, port?: number) => FaceKeys;
  pass: (ms: number) => void;
} {
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs, wallMs: () => 1_780_000_000_000 + nowMs } as Clock;
  const restart = (token = "token", port = 4180): FaceKeys => new FaceKeys(clock, port, token);
  return { keys: restart(), restart, pass: (ms) => (nowMs += ms) };
}

const cookieOf = (cookies: readonly string[] | undefined): string => cookies?.[0]?.split(";")[0] ?? "";

test("[FC4] a link opens its face once", () => {
  const { keys } = makeKeys();
  const code = keys.makeLink(web);
  const cookie = cookieOf(keys.open(code, web));
  expect(cookie).toMatch(/^signalbox_face_4180=/);
  expect(keys.hasCookie(`a=1; ${cookie}`, web)).toBe(true);
  expect(keys.open(code, web)).toBeUndefined();
});

test("[FC4] tried at another face it opens nothing, and is used up", () => {
  const { keys } = makeKeys();
  for (const other of others) {
    const code = keys.makeLink(web);
    expect(keys.open(code, other)).toBeUndefined();
    expect(keys.open(code, web)).toBeUndefined();
  }
});

test("[FC4] a link is good for ten minutes, what it leaves for half a day", () => {
  const { keys, pass } = makeKeys();
  const late = keys.makeLink(web);
  pass(10 * 60_000);
  expect(keys.open(late, web)).toBeUndefined();
  const cookie = cookieOf(keys.open(keys.makeLink(web), web));
  const token = keys.makeToken(web);
  pass(12 * 3_600_000 - 1);
  expect([keys.hasCookie(cookie, web), keys.admits(token, web)]).toEqual([true, true]);
  pass(1);
  expect([keys.hasCookie(cookie, web), keys.admits(token, web)]).toEqual([false, false]);
});

test("[FC5] a key of one face opens no other, outlives the daemon and ends with its token", () => {
  const { keys, restart } = makeKeys();
  const cookie = cookieOf(keys.open(keys.makeLink(web), web));
  const token = keys.makeToken(web);
  for (const other of others)
    expect([keys.hasCookie(cookie, other), keys.admits(token, other)]).toEqual([false, false]);
  expect([restart().hasCookie(cookie, web), restart().admits(token, web)]).toEqual([true, true]);
  expect([restart("new").hasCookie(cookie, web), restart("new").admits(token, web)]).toEqual([false, false]);
  // Another daemon of the same person, at another port.
  const elsewhere = restart("token", 4181);
  expect([elsewhere.hasCookie(cookie, web), elsewhere.admits(token, web)]).toEqual([false, false]);
});

test("[FC14] what a browser has kept is an agent's only where it says so, and says nothing else", () => {
  const { keys } = makeKeys();
  const cookies = (keys.open(keys.makeLink(web), web) ?? []).map((each) => each.split(";")[0]).join("; ");
  expect(keys.isOwner(cookies, web)).toBe(true);
  expect(keys.isOwner(cookies, { agent: "a_2", face: "web" })).toBe(false);
  for (const wrong of [undefined, "", "signalbox_owner_4180=a_1", cookies.replace("_face_", "_owner_").split(";")[0]])
    expect(keys.isOwner(wrong, web)).toBe(false);
});

test("[FC5] the daemon's token opens every face, and nothing that is made up does", () => {
  const { keys } = makeKeys();
  for (const face of [web, ...others]) expect(keys.admits("token", face)).toBe(true);
  const token = keys.makeToken(web);
  const bare = token.slice("signalbox_face_".length);
  for (const wrong of [
    "",
    "Token",
    "token ",
    bare,
    `${token}x`,
    token.replace(/\.[^.]*$/, ""),
    "signalbox_face_",
    "signalbox_face_...",
  ])
    expect(keys.admits(wrong, web)).toBe(false);
});

test("[FC7] tokens are known as ours whatever they open, and also when they are over", () => {
  const { keys, pass } = makeKeys();
  const token = keys.makeToken({ agent: "a_9", face: "x" });
  pass(24 * 3_600_000);
  expect(["token", token, "theirs"].map((each) => keys.isOurs(each))).toEqual([true, true, false]);
});

test("[FC4, FC14] a browser that is to forget first comes again with another code, which is good no longer than the first", () => {
  const { keys, pass } = makeKeys();
  const code = keys.makeLink(web);
  for (const other of others) expect(keys.clear(code, other)).toBeUndefined();
  pass(10 * 60_000 - 1);
  const next = keys.clear(code, web) ?? "";
  expect([keys.clear(code, web), keys.open(code, web)]).toEqual([undefined, undefined]);
  expect(keys.clear(next, web)).toBeUndefined();
  expect(cookieOf(keys.open(next, web))).toMatch(/^signalbox_face_4180=/);
  const late = keys.clear(keys.makeLink(web), web) ?? "";
  pass(10 * 60_000);
  expect(keys.open(late, web)).toBeUndefined();
});
