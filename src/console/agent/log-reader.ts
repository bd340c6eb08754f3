// Reads what the services of one agent say, all of them in turn: a browser has few connections to one daemon, and each
// service on its own would take one for as long as it lives.

import type { Client } from "../../client/client.ts";
import type { ServiceView } from "../../protocol/wire/agent.ts";
import { ServiceLog } from "../model/service-log.ts";

type Place = { readonly life: number; readonly offset: number; readonly isOver: boolean };
type Wish = { readonly service: string; readonly place: Place | undefined };
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
    for (;;) {
      let hasNews = false;
      for (const { name, life } of services()) {
        if (signal.aborted) return;
        const place = this.#placeOf(name, life);
        if (place === null) continue;
        hasNews = (await this.#read(client, { service: name, place }, signal)) || hasNews;
      }
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

  /** Answers whether there was anything new. */
  async #read(client: Client, { service, place }: Wish, signal: AbortSignal): Promise<boolean> {
    const from =
      place === undefined ? { limit: firstBytes } : { life: place.life, offset: place.offset, limit: nextBytes };
    const wish = { agent: this.#agent, service, ...from, times: true };
    const part = await client.call("service.output", wish, { signal });
    const bytes = Uint8Array.from(atob(part.base64), (char) => char.charCodeAt(0));
    const end = part.offset + bytes.length;
    const isOver = part.ended && end >= part.size;
    this.#places.set(service, { life: part.life, offset: end, isOver });
    const isCut = place === undefined && part.offset > 0;
    // The end of an output begins somewhere in a line.
    const skipped = isCut ? bytes.indexOf(0x0a) + 1 : 0;
    this.log.take(service, part.life, {
      ...{ bytes: bytes.subarray(skipped), offset: part.offset + skipped },
      ...{ times: part.times ?? [], isOver, isCut },
    });
    return bytes.length > 0 || (isOver && place?.isOver === false);
  }
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
