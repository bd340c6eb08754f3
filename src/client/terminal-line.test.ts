import { expect, onTestFinished, test, vi } from "vitest";
import {
  fromFrame,
  type TerminalNews,
  toFrame,
  typedPieceBytesMax,
  untakenBytesMax,
} from "../protocol/terminal-stream.ts";
import { TerminalLine } from "./terminal-line.ts";

class FakeSocket extends EventTarget {
  readonly sent: string[] = [];
  readonly typed: number[] = [];
  readonly frames: Uint8Array[] = [];
  closedWith: number | undefined;
  binaryType = "blob";

  send(data: string | Uint8Array): void {
    if (typeof data === "string") this.sent.push(data);
    else {
      this.typed.push(fromFrame(data)?.number ?? 0);
      this.frames.push(data);
    }
  }

  close(code: number): void {
    this.closedWith = code;
  }

  open(): void {
    this.dispatchEvent(new Event("open"));
  }

  tell(news: TerminalNews): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(news) }));
  }

  show(offset: number, text: string): void {
    const { buffer } = toFrame(offset, new TextEncoder().encode(text));
    this.dispatchEvent(new MessageEvent("message", { data: buffer }));
  }
}

function connect(): { line: TerminalLine; sockets: FakeSocket[]; shown: string[]; news: TerminalNews[] } {
  const news: TerminalNews[] = [];
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
    onNews: (each) => news.push(each),
  });
  return { line, sockets, shown, news };
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

test("[TM11] a paste is sent in pieces that a frame has room for, each with a number of its own", () => {
  const { line, sockets } = connect();
  sockets[0]?.open();
  const paste = Uint8Array.from({ length: 2 * typedPieceBytesMax + 10 }, (_, index) => index % 251);
  line.type(paste);
  const { frames = [], typed = [] } = sockets[0] ?? {};
  const [first = 0] = typed;
  expect(typed).toEqual([first, first + 1, first + 2]);
  expect(Buffer.concat(frames.map((frame) => fromFrame(frame)?.bytes ?? new Uint8Array(0))).equals(paste)).toBe(true);
  line.leave();
});

test("[TM11] of a paste that is more than could wait for a program nothing is typed, and whoever typed it hears so", () => {
  const { line, sockets, news } = connect();
  sockets[0]?.open();
  line.type(new Uint8Array(untakenBytesMax + 1));
  expect(sockets[0]?.typed).toEqual([]);
  expect(news).toEqual([{ refused: expect.any(Number) as number }]);
  line.leave();
});

test("[TM12] what is known to have arrived is not sent again, also where only something after it was told", async () => {
  const { line, sockets } = connect();
  sockets[0]?.open();
  for (const key of ["a", "b", "c"]) line.type(new TextEncoder().encode(key));
  const [, second = 0, third] = sockets[0]?.typed ?? [];
  sockets[0]?.tell({ typed: second });
  sockets[0]?.dispatchEvent(new Event("close"));
  await expect.poll(() => sockets.length).toBe(2);
  sockets[1]?.open();
  expect(sockets[1]?.typed).toEqual([third]);
  line.leave();
});

test("a connection that opens and breaks at once is tried less and less often", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { line, sockets } = connect();
  const breakNext = (): void => {
    sockets.at(-1)?.open();
    sockets.at(-1)?.dispatchEvent(new Event("close"));
    vi.runOnlyPendingTimers();
  };
  const waited = (): number => {
    const before = Date.now();
    breakNext();
    return Date.now() - before;
  };
  expect([waited(), waited(), waited()]).toEqual([50, 100, 200]);
  // As soon as something comes of it, all is well again.
  sockets.at(-1)?.open();
  sockets.at(-1)?.tell({ viewers: [] });
  expect(waited()).toBe(50);
  line.leave();
});

test("[TM17] who is led to another terminal asks for that one from then on, from its beginning", async () => {
  const { line, sockets } = connect();
  sockets[0]?.open();
  sockets[0]?.show(5, "begun");
  sockets[0]?.tell({ moved: { terminal: "te_2" } });
  sockets[0]?.dispatchEvent(new Event("close"));
  await expect.poll(() => sockets.length).toBe(2);
  sockets[1]?.open();
  expect(JSON.parse(sockets[1]?.sent[0] ?? "")).toEqual({
    attach: { terminal: "te_2", viewer: "viewer-1", name: "eva" },
  });
  line.leave();
});
