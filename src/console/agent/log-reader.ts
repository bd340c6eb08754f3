// Reads what the services of one agent say, all of them in turn: a browser has few connections to one daemon, and each
// service on its own would take one for as long as it lives.

import type { Client } from "../../client/client.ts";
import type { ServiceView } from "../../protocol/wire/agent.ts";
import { ServiceLog } from "../model/service-log.ts";

type Place = { readonly life: number; readonly offset: number; readonly isOver: boolean };
type Wish = { readonly service: string; readonly place: Place | undefined; readonly isEarlier: boolean };
type Names = readonly Pick<ServiceView, "name" | "life">[];

const firstBytes = 24_576;
const nextBytes = 131_072;
const restMs = 400;

export class LogReader {
  readonly log = new ServiceLog();
  readonly #agent: string;
  readonly #places = new Map<string, Place>();

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** Reads on until told to stop, and says when there is something new. Throws when the daemon does not answer. */
  async follow(client: Client, services: () => Names, onNews: () => void, signal: AbortSignal): Promise<void> {
    // What was said before somebody listens comes service by service: as long as there is more of that, nobody knows here what was said first.
    let isBehind = true;
    for (;;) {
      let hasNews = false;
      let isLeft = false;
      for (const { name, life } of services()) {
        if (signal.aborted) return;
        const place = this.#placeOf(name, life);
        if (place === null) continue;
        const found = await this.#read(client, { service: name, place, isEarlier: isBehind }, signal);
        hasNews ||= found.hasNews;
        isLeft ||= found.isLeft;
      }
      isBehind &&= isLeft;
      onNews();
      if (!hasNews) await pause(restMs, signal);
      if (signal.aborted) return;
    }
  }

  /** Where to go on; null where everything is read. A service that was never started has said nothing. */
  #placeOf(service: string, life: number): Place | undefined | null {
    if (life === 0) return null;
    const place = this.#places.get(service);
    if (place === undefined || !place.isOver) return place;
    return place.life < life ? { life: place.life + 1, offset: 0, isOver: false } : null;
  }

  async #read(
    client: Client,
    { service, place, isEarlier }: Wish,
    signal: AbortSignal,
  ): Promise<{ readonly hasNews: boolean; readonly isLeft: boolean }> {
    const from =
      place === undefined ? { limit: firstBytes } : { life: place.life, offset: place.offset, limit: nextBytes };
    const part = await client.call("service.output", { agent: this.#agent, service, ...from }, { signal });
    const bytes = Uint8Array.from(atob(part.base64), (char) => char.charCodeAt(0));
    const offset = part.offset + bytes.length;
    const isOver = part.ended && offset >= part.size;
    this.#places.set(service, { life: part.life, offset, isOver });
    const whole = place === undefined && part.offset > 0 ? fromFirstLine(bytes) : bytes;
    this.log.take(service, part.life, whole, { isOver, isEarlier });
    return { hasNews: bytes.length > 0 || (isOver && place?.isOver === false), isLeft: offset < part.size };
  }
}

/** The end of an output begins somewhere in a line. */
function fromFirstLine(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.indexOf(0x0a) + 1);
}

/** Waits, or less where nobody wants it any more. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
