// Sessions of the console. A login link works once and soon; what it leaves behind is a cookie that scripts cannot read.
// The cookie is signed and says itself how long it is good, so a page that was open when the daemon was restarted goes on
// without a new link. Who makes a new token ends all sessions.

import type { Clock } from "../../ports/clock.ts";
import { OnceLinks } from "./once-links.ts";
import { cookieValues, SignedClaims } from "./signed-claims.ts";

const sessionLifeMs = 12 * 3_600_000;

export class Sessions {
  /** Cookies know no ports: the name keeps daemons on one machine apart. */
  readonly #cookie: string;
  readonly #claims: SignedClaims;
  readonly #links: OnceLinks<"the console">;

  /** The key is the daemon's own token: who has it may do everything anyway. */
  constructor(clock: Clock, port: number, key: string) {
    this.#cookie = `signalbox_${port}`;
    this.#claims = new SignedClaims(clock, key);
    this.#links = new OnceLinks(clock);
  }

  /** A fresh code for a login link. */
  makeLink(): string {
    return this.#links.make("the console");
  }

  /** Uses a code up. The answer is the cookie to set, or undefined when the code is unknown, used or old. */
  open(code: string): string | undefined {
    if (this.#links.use(code) === undefined) return undefined;
    const session = this.#claims.make(this.#cookie, sessionLifeMs);
    return `${this.#cookie}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionLifeMs / 1000}`;
  }

  /** Whether the cookies of a request name a session that is still good. */
  has(cookies: string | undefined): boolean {
    return cookieValues(cookies, this.#cookie).some((value) => this.#claims.isGood(this.#cookie, value));
  }
}
