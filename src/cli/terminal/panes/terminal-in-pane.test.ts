import { expect, test } from "vitest";
import type { Cli } from "../../cli.ts";
import { TerminalInPane } from "./terminal-in-pane.ts";

class Socket extends EventTarget {
  send(): void {
    // Nobody is there.
  }

  close(): void {
    // Nobody is there.
  }
}

test("[TM26] a pane whose connection broke says so, and says when it is there again", async () => {
  const sockets: Socket[] = [];
  const again = Promise.withResolvers<void>();
  const socket = (): WebSocket => {
    if (sockets.push(new Socket()) === 2) again.resolve();
    return sockets.at(-1) as unknown as WebSocket;
  };
  const said: string[] = [];
  const pane = new TerminalInPane(
    { link: { socket } } as unknown as Cli,
    { terminal: "te_1", name: "me", by: "ann", readOnly: false },
    { size: { cols: 80, rows: 24 }, onDrawn: () => undefined, onSaid: (text) => said.push(text) },
  );
  sockets[0]?.dispatchEvent(new Event("open"));
  expect(said).toEqual([]);
  sockets[0]?.dispatchEvent(new Event("close"));
  await again.promise;
  sockets[1]?.dispatchEvent(new Event("open"));
  expect(said).toEqual(["te_1: the connection broke; trying again", "te_1: connected again"]);
  pane.leave();
});
