// Claims that say themselves how long they are good, signed so that nobody else can make one. Each is good for its scope
// alone. Whoever makes a new key ends all of them.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";

export class SignedClaims {
  readonly #clock: Pick<Clock, "wallMs">;
  readonly #key: string;

  constructor(clock: Pick<Clock, "wallMs">, key: string) {
    this.#clock = clock;
    this.#key = key;
  }

  make(scope: string, lifeMs: number): string {
    const claim = `${Math.ceil(this.#clock.wallMs() + lifeMs)}.${randomBytes(16).toString("base64url")}`;
    return `${claim}.${this.#sign(scope, claim).toString("base64url")}`;
  }

  isGood(scope: string, text: string): boolean {
    const [until, nonce, signature] = text.split(".");
    if (until === undefined || nonce === undefined || signature === undefined) return false;
    const given = Buffer.from(signature, "base64url");
    const expected = this.#sign(scope, `${until}.${nonce}`);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && Number(until) > this.#clock.wallMs();
  }

  #sign(scope: string, claim: string): Buffer {
    return createHmac("sha256", this.#key).update(`${scope} ${claim}`).digest();
  }
}

/** The values of a cookie in a request. */
export function cookieValues(cookies: string | undefined, cookie: string): string[] {
  return (cookies?.split(";") ?? []).flatMap((each) => {
    const [name, value] = each.trim().split("=", 2);
    return name === cookie && value !== undefined ? [value] : [];
  });
}
