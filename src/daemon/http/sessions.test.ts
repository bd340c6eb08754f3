import { expect, test } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import { Sessions } from "./sessions.ts";

function makeSessions(): { sessions: Sessions; restart: (key?: string) => Sessions; pass: (ms: number) => void } {
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs, wallMs: () => 1_780_000_000_000 + nowMs } as Clock;
  const restart = (key = "token"): Sessions => new Sessions(clock, 4180, key);
  return { sessions: restart(), restart, pass: (ms) => (nowMs += ms) };
}

const cookieOf = (setCookie: string | undefined): string => setCookie?.split(";")[0] ?? "";

test("a link opens one session, once", () => {
  const { sessions } = makeSessions();
  const code = sessions.makeLink();
  const cookie = cookieOf(sessions.open(code));
  expect(cookie).toMatch(/^signalbox_4180=\d{13}\.[\w-]{22}\.[\w-]{43}$/);
  expect(sessions.has(cookie)).toBe(true);
  expect(sessions.has(`other=1; ${cookie}; more=2`)).toBe(true);
  expect(sessions.open(code)).toBeUndefined();
});

test("a link is good for ten minutes, a session for half a day", () => {
  const { sessions, pass } = makeSessions();
  const late = sessions.makeLink();
  pass(10 * 60_000);
  expect(sessions.open(late)).toBeUndefined();
  const cookie = cookieOf(sessions.open(sessions.makeLink()));
  pass(12 * 3_600_000 - 1);
  expect(sessions.has(cookie)).toBe(true);
  pass(1);
  expect(sessions.has(cookie)).toBe(false);
});

test("nothing else opens anything", () => {
  const { sessions } = makeSessions();
  const code = sessions.makeLink();
  const cookie = cookieOf(sessions.open(sessions.makeLink()));
  for (const wrong of ["", "x", code.slice(1), `${code}x`]) expect(sessions.open(wrong)).toBeUndefined();
  const [name, value] = cookie.split("=");
  for (const wrong of [
    undefined,
    "",
    name,
    `${name}=`,
    `signalbox_4181=${value}`,
    `${name}=${code}`,
    `${name}=${value}x`,
    `${name}=9${value}`,
    `${name}=${value?.replace(/\..*\./, ".x.")}`,
    `${name}=${value?.split(".", 2).join(".")}`,
  ]) {
    expect(sessions.has(wrong)).toBe(false);
  }
});

test("a session outlives the daemon, and ends with its token", () => {
  const { sessions, restart } = makeSessions();
  const cookie = cookieOf(sessions.open(sessions.makeLink()));
  expect(restart().has(cookie)).toBe(true);
  expect(restart("another token").has(cookie)).toBe(false);
});

test("links that nobody uses do not pile up", () => {
  const { sessions } = makeSessions();
  const first = sessions.makeLink();
  for (let made = 0; made < 100; made++) sessions.makeLink();
  expect(sessions.open(first)).toBeUndefined();
});
