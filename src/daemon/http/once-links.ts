// Codes of links that work once and soon, each with what it opens. They are kept in memory: a restart ends them.

import { randomBytes } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";

export const linkLifeMs = 10 * 60_000;
const linksMax = 100;

export class OnceLinks<Opens> {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #links = new Map<string, { readonly untilMs: number; readonly opens: Opens }>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  make(opens: Opens): string {
    return this.#keep(this.#clock.monotonicMs() + linkLifeMs, opens);
  }

  /** What a code would open, without using it up. */
  look(code: string): Opens | undefined {
    const link = this.#links.get(code);
    return link === undefined || link.untilMs <= this.#clock.monotonicMs() ? undefined : link.opens;
  }

  /** Another code in place of one, good for as long as that was. Undefined when there is no such code. */
  renew(code: string, opens: Opens): string | undefined {
    const untilMs = this.#links.get(code)?.untilMs;
    if (untilMs === undefined || this.use(code) === undefined) return undefined;
    return this.#keep(untilMs, opens);
  }

  /** Uses a code up. Undefined when it is unknown, used or old. */
  use(code: string): Opens | undefined {
    const opens = this.look(code);
    this.#links.delete(code);
    return opens;
  }

  #keep(untilMs: number, opens: Opens): string {
    const code = randomBytes(32).toString("base64url");
    this.#links.set(code, { untilMs, opens });
    const oldest = this.#links.size > linksMax ? this.#links.keys().next() : undefined;
    if (oldest?.done === false) this.#links.delete(oldest.value);
    return code;
  }
}
