// Recordings in the format of asciinema, version 2: a head, and then a line for each thing that was said.

import type { Recorded } from "../../protocol/wire/terminal.ts";

/** Seconds since the beginning, and what was said; or a new size. */
export type CastEvent = readonly [seconds: number, kind: "o" | "r", data: string];

export function toCast(head: {
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
  readonly wallMs: number;
}): string {
  const { argv, cols: width, rows: height, wallMs } = head;
  const timestamp = Math.floor(wallMs / 1000);
  const command = argv.length === 0 ? {} : { command: argv.join(" ") };
  return `${JSON.stringify({ version: 2, width, height, timestamp, ...command, env: { TERM: "xterm-256color" } })}\n`;
}

/** The decoder remembers a character that was cut in two. */
export function* toCastEvents(events: readonly Recorded[], decoder: TextDecoder): Generator<CastEvent> {
  for (const event of events) {
    const seconds = event.atMs / 1000;
    if ("base64" in event) {
      const text = decoder.decode(Buffer.from(event.base64, "base64"), { stream: true });
      if (text !== "") yield [seconds, "o", text];
    } else {
      yield [seconds, "r", `${event.cols}x${event.rows}`];
    }
  }
}
