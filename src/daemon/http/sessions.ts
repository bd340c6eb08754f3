// Sessions of the console. A login link works once and soon; what it leaves behind is a cookie that scripts cannot read.
// The cookie is signed and says itself how long it is good, so a page that was open when the daemon was restarted goes on
// without a new link. Who makes a new token ends all sessions.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";

export const linkLifeMs = 10 * 60_000;
const sessionLifeMs = 12 * 3_600_000;
const linksMax = 100;

export class Sessions {
  readonly #clock: Clock;
  /** Cookies know no ports: the name keeps daemons on one machine apart. */
  readonly #cookie: string;
  readonly #key: string;
  readonly #links = new Map<string, number>();

  /** The key is the daemon's own token: who has it may do everything anyway. */
  constructor(clock: Clock, port: number, key: string) {
    this.#clock = clock;
    this.#cookie = `signalbox_${port}`;
    this.#key = key;
  }

  /** A fresh code for a login link. */
  makeLink(): string {
    const code = randomBytes(32).toString("base64url");
    this.#links.set(code, this.#clock.monotonicMs() + linkLifeMs);
    const oldest = this.#links.size > linksMax ? this.#links.keys().next() : undefined;
    if (oldest?.done === false) this.#links.delete(oldest.value);
    return code;
  }

  /** Uses a code up. The answer is the cookie to set, or undefined when the code is unknown, used or old. */
  open(code: string): string | undefined {
    const untilMs = this.#links.get(code);
    this.#links.delete(code);
    if (untilMs === undefined || untilMs <= this.#clock.monotonicMs()) return undefined;
    const claim = `${Math.ceil(this.#clock.wallMs() + sessionLifeMs)}.${randomBytes(16).toString("base64url")}`;
    const session = `${claim}.${this.#sign(claim).toString("base64url")}`;
    return `${this.#cookie}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionLifeMs / 1000}`;
  }

  /** Whether the cookies of a request name a session that is still good. */
  has(cookies: string | undefined): boolean {
    return (cookies?.split(";") ?? []).some((each) => {
      const [name, value] = each.trim().split("=", 2);
      return name === this.#cookie && value !== undefined && this.#isGood(value);
    });
  }

  #isGood(session: string): boolean {
    const [until, nonce, signature] = session.split(".");
    if (until === undefined || nonce === undefined || signature === undefined) return false;
    const given = Buffer.from(signature, "base64url");
    const expected = this.#sign(`${until}.${nonce}`);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && Number(until) > this.#clock.wallMs();
  }

  #sign(claim: string): Buffer {
    return createHmac("sha256", this.#key).update(`${this.#cookie} ${claim}`).digest();
  }
}
