import { expect, test } from "vitest";
import { fromFrame, toFrame } from "../protocol/terminal-stream.ts";
import { TerminalLine } from "./terminal-line.ts";

class FakeSocket extends EventTarget {
  readonly sent: string[] = [];
  readonly typed: number[] = [];
  closedWith: number | undefined;
  binaryType = "blob";

  send(data: string | Uint8Array): void {
    if (typeof data === "string") this.sent.push(data);
    else this.typed.push(fromFrame(data)?.number ?? 0);
  }

  close(code: number): void {
    this.closedWith = code;
  }

  open(): void {
    this.dispatchEvent(new Event("open"));
  }

  show(offset: number, text: string): void {
    const { buffer } = toFrame(offset, new TextEncoder().encode(text));
    this.dispatchEvent(new MessageEvent("message", { data: buffer }));
  }
}

function connect(): { line: TerminalLine; sockets: FakeSocket[]; shown: string[] } {
  const sockets: FakeSocket[] = [];
  const shown: string[] = [];
  const line = new TerminalLine({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    wish: { terminal: "te_1", viewer: "viewer-1", name: "eva" },
    onShow: (bytes) => shown.push(new TextDecoder().decode(bytes)),
  });
  return { line, sockets, shown };
}

test("who wants a fresh screen gets one over another connection, and nothing more of what was to come", () => {
  const { line, sockets, shown } = connect();
  sockets[0]?.open();
  sockets[0]?.show(5, "begun");
  line.refresh();
  // By any other number than that of those who leave for good, the keyboard waits.
  expect(sockets[0]?.closedWith).toBe(4000);
  sockets[0]?.show(9, "late");
  sockets[1]?.open();
  sockets[1]?.show(12, "fresh");
  expect(shown).toEqual(["begun", "fresh"]);
  expect(sockets[1]?.sent.map((text) => JSON.parse(text) as object)).toEqual([
    { attach: { terminal: "te_1", viewer: "viewer-1", name: "eva" } },
  ]);
  line.leave();
  expect(sockets[1]?.closedWith).toBe(1000);
});

test("a line that broke goes on where it was", async () => {
  const { line, sockets } = connect();
  sockets[0]?.open();
  sockets[0]?.show(5, "begun");
  sockets[0]?.dispatchEvent(new Event("close"));
  await expect.poll(() => sockets.length).toBe(2);
  sockets[1]?.open();
  expect(JSON.parse(sockets[1]?.sent[0] ?? "")).toMatchObject({ attach: { from: 5 } });
  line.leave();
});

test("[TM2] a window that comes again types anew: its numbers are higher than those of its line before", () => {
  const [first, second] = [connect(), connect()];
  for (const { line, sockets } of [first, second]) {
    sockets[0]?.open();
    line.type(new TextEncoder().encode("a"));
    line.leave();
  }
  const [[before = 0], [after = 0]] = [first.sockets[0]?.typed ?? [], second.sockets[0]?.typed ?? []];
  expect(before).toBeGreaterThan(Date.now() * 1000 - 60_000_000);
  expect(after).toBeGreaterThanOrEqual(before);
});

test("[TM17] who is led to another terminal asks for that one from then on, from its beginning", async () => {
  const { line, sockets } = connect();
  sockets[0]?.open();
  sockets[0]?.show(5, "begun");
  sockets[0]?.dispatchEvent(new MessageEvent("message", { data: '{"moved":{"terminal":"te_2"}}' }));
  sockets[0]?.dispatchEvent(new Event("close"));
  await expect.poll(() => sockets.length).toBe(2);
  sockets[1]?.open();
  expect(JSON.parse(sockets[1]?.sent[0] ?? "")).toEqual({
    attach: { terminal: "te_2", viewer: "viewer-1", name: "eva" },
  });
  line.leave();
});
