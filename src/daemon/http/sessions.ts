// Sessions of the console. A login link works once and soon; what it leaves behind is a cookie that scripts cannot read.

import { randomBytes } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";

export const linkLifeMs = 10 * 60_000;
const sessionLifeMs = 12 * 3_600_000;
const linksMax = 100;
const sessionsMax = 1000;

export class Sessions {
  readonly #clock: Clock;
  /** Cookies know no ports: the name keeps daemons on one machine apart. */
  readonly #cookie: string;
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  constructor(clock: Clock, port: number) {
    this.#clock = clock;
    this.#cookie = `signalbox_${port}`;
  }

  /** A fresh code for a login link. */
  makeLink(): string {
    const code = randomBytes(32).toString("base64url");
    keep(this.#links, code, this.#clock.monotonicMs() + linkLifeMs, linksMax);
    return code;
  }

  /** Uses a code up. The answer is the cookie to set, or undefined when the code is unknown, used or old. */
  open(code: string): string | undefined {
    const untilMs = this.#links.get(code);
    this.#links.delete(code);
    if (untilMs === undefined || untilMs <= this.#clock.monotonicMs()) return undefined;
    const session = randomBytes(32).toString("base64url");
    keep(this.#sessions, session, this.#clock.monotonicMs() + sessionLifeMs, sessionsMax);
    return `${this.#cookie}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionLifeMs / 1000}`;
  }

  /** Whether the cookies of a request name a session that is still good. */
  has(cookies: string | undefined): boolean {
    for (const each of cookies?.split(";") ?? []) {
      const [name, value] = each.trim().split("=", 2);
      if (name !== this.#cookie || value === undefined) continue;
      const untilMs = this.#sessions.get(value);
      if (untilMs !== undefined && untilMs > this.#clock.monotonicMs()) return true;
    }
    return false;
  }
}

function keep(map: Map<string, number>, key: string, untilMs: number, max: number): void {
  map.set(key, untilMs);
  const oldest = map.size > max ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
}
