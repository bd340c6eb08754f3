import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import type { ViewerPolicy } from "../../base/viewer-filter.ts";
import type { Terminal } from "../../core/terminal/terminal-events.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import { fromTypeFrame, LineFrames, lineKinds, toSaidFrame } from "../../protocol/keeper/terminal-line-wire.ts";
import { attachSchema, type AttachWish, untakenBytesMax } from "../../protocol/terminal-stream.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { TerminalRoom } from "./terminal-room.ts";
import { TerminalViewer, type ViewerLink } from "./terminal-viewer.ts";

/** A terminal that has said this much, and says no more. */
class SaidKeeper implements KeeperLine {
  readonly asked: KeeperOp["op"][] = [];
  readonly #said: Buffer;
  screenAt: number;

  constructor(said: string, screenAt = 0) {
    this.#said = Buffer.from(said);
    this.screenAt = screenAt;
  }

  async request(op: KeeperOp): Promise<unknown> {
    await Promise.resolve();
    this.asked.push(op.op);
    const size = { cols: 80, rows: 24, title: "", lines: [] };
    if (op.op === "terminal-screen") return { screen: `<screen at ${this.screenAt}>`, offset: this.screenAt, ...size };
    // As a keeper of an earlier release has it.
    if (op.op === "terminal-line")
      throw new Fault("bad-request", { retry: "never", message: "there is no such thing" });
    if (op.op !== "terminal-read") throw new Error(`nobody asks for ${op.op}`);
    const bytes = this.#said.subarray(op.offset, op.offset + op.limit);
    return { base64: bytes.toString("base64"), offset: op.offset, totalBytes: this.#said.length, ended: true };
  }

  close(): void {
    // There is nothing to let go of.
  }
}

class NotingLink implements ViewerLink {
  shown = "";
  readonly offsets: number[] = [];
  readonly told: string[] = [];
  /** Waited for after each frame. */
  pace: () => Promise<void> = () => Promise.resolve();

  show(offset: number, bytes: Uint8Array): void {
    this.shown += Buffer.from(bytes).toString();
    this.offsets.push(offset);
  }

  tell(news: object): void {
    this.told.push(...Object.keys(news));
  }

  ready(): Promise<void> {
    return this.pace();
  }

  close(): void {
    // Nobody is there.
  }
}

function viewerOf(
  keeper: KeeperLine,
  link: ViewerLink,
  more: Partial<AttachWish> = {},
  policy?: () => ViewerPolicy,
): TerminalViewer {
  const { attach } = attachSchema.parse({
    attach: { terminal: "te_1", viewer: "viewer-1", name: "ann", ...more },
  });
  return new TerminalViewer(
    attach,
    link,
    () => Promise.resolve(keeper),
    () => undefined,
    policy,
  );
}

const gone = new Fault("keeper-gone", { retry: "never", message: "nobody asks any more" });

/** A host of terminals that does this with each line. */
async function hostedBy(act: (line: Socket) => unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-line-"));
  const socket = join(folder, "t.sock");
  const host = createServer(act);
  await new Promise<void>((resolve) => host.listen(socket, resolve));
  onTestFinished(() => {
    host.close();
    rmSync(folder, { recursive: true });
  });
  return socket;
}

describe("a viewer", () => {
  test("[TM4] gets the screen first, and then what continues it", async () => {
    const [keeper, link] = [new SaidKeeper("0123456789", 4), new NotingLink()];
    await viewerOf(keeper, link).run();
    expect(link.shown).toBe("<screen at 4>456789");
    expect(link.offsets).toEqual([4, 10]);
    expect(link.told).toEqual(["screen"]);
  });

  test("[TM12] who comes again goes on where they were", async () => {
    const [keeper, link] = [new SaidKeeper("0123456789"), new NotingLink()];
    await viewerOf(keeper, link, { from: 7 }).run();
    expect(link.shown).toBe("789");
    expect(keeper.asked).not.toContain("terminal-screen");
  });

  test("[TM12] what was cut in the middle of a sequence is had again, whole", async () => {
    const link = new NotingLink();
    await viewerOf(new SaidKeeper("ab\u001b[3"), link, { from: 0 }).run();
    expect(link.offsets).toEqual([2]);
    const again = new NotingLink();
    await viewerOf(new SaidKeeper("ab\u001b[31mc"), again, { from: 2 }).run();
    expect(again.shown).toBe("\u001b[31mc");
  });

  test.each([
    ["clipboard", "\u001b]52;c;aGk=\u0007"],
    ["titles", "\u001b]0;title\u0007"],
    ["links", "\u001b]8;;https://example.com\u0007"],
  ] as const)("[TM10] %s pass where that is allowed at the moment, and by themselves", async (which, said) => {
    const none = { clipboard: false, titles: false, links: false };
    const shownWith = async (policy: typeof none): Promise<string> => {
      const link = new NotingLink();
      await viewerOf(new SaidKeeper(`a${said}b`), link, { from: 0 }, () => policy).run();
      return link.shown;
    };
    expect(await shownWith(none)).toBe("ab");
    expect(await shownWith({ ...none, [which]: true })).toBe(`a${said}b`);
    expect(await shownWith({ clipboard: true, titles: true, links: true, [which]: false })).toBe("ab");
  });

  test("[TM24] where its line to the host breaks, the keeper says how it goes on", async () => {
    const link = new NotingLink();
    const keeper = new SaidKeeper("0123456789");
    const socket = await hostedBy((line) =>
      line.end(toSaidFrame({ offset: 0, totalBytes: 10, bytes: Buffer.from("0123") })),
    );
    const lined: KeeperLine = {
      close: () => undefined,
      request: (op) => (op.op === "terminal-line" ? Promise.resolve({ socket }) : keeper.request(op)),
    };
    await viewerOf(lined, link, { from: 0 }).run();
    expect(link.shown).toBe("0123456789");
    expect(link.offsets).toEqual([4, 10]);
  });

  test("[TM24] each key goes at once, whatever is said before the one before it is heard of, and none overtakes another", async () => {
    const keys: string[] = [];
    const [looked, heardTwo] = [Promise.withResolvers<Socket>(), Promise.withResolvers<void>()];
    // It takes what is typed, and says nothing of that: what it says is behind a flood.
    const socket = await hostedBy((line) => {
      const frames = new LineFrames((kind, content) => {
        if (kind === lineKinds.look) return looked.resolve(line);
        keys.push(Buffer.from(fromTypeFrame(content).bytes).toString());
        return keys.length === 2 ? heardTwo.resolve() : undefined;
      });
      line.on("data", (chunk: Buffer) => frames.feed(chunk));
    });
    const rounds: string[] = [];
    const keeper: KeeperLine = {
      close: () => undefined,
      request: (op, signal) => {
        if (op.op === "terminal-line") return Promise.resolve({ socket });
        if (op.op === "terminal-input") {
          rounds.push(op.tag);
          // What a program does not read at the moment is not taken the first time.
          return Promise.resolve({ taken: op.tag !== "viewer-1-3" || rounds.length > 4 });
        }
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(gone)));
      },
    };
    const viewer = viewerOf(keeper, new NotingLink(), { from: 0 });
    const run = viewer.run();
    const line = await looked.promise;
    const room = new TerminalRoom({
      terminal: "te_1",
      state: () => ({ keyboard: { viewer: "viewer-1", name: "ann" }, asks: [], ended: null }) as unknown as Terminal,
      keeper: () => Promise.resolve(keeper),
      pass: () => Promise.resolve(),
      setTimer: () => () => undefined,
      wallMs: () => 0,
    });
    const typed = ["a", "b"].map((key, index) => room.type(viewer, index + 1, Buffer.from(key)));
    await heardTwo.promise;
    expect(keys).toEqual(["a", "b"]);
    // Nobody knows whether they were taken: they go round by the keeper, and what comes now goes behind them.
    line.destroy();
    await Promise.all([...typed, room.type(viewer, 3, Buffer.from("c"))]);
    expect(rounds).toEqual(["viewer-1-1", "viewer-1-2", "viewer-1-3", "viewer-1-3", "viewer-1-3"]);
    const much = await viewer.type(Buffer.alloc(5 * 1024 * 1024), "much");
    expect(much).toBe(false);
    viewer.leave();
    await run;
  });

  test("[TM11] behind something that was refused nothing is typed until all before it is taken: a paste has no gap", async () => {
    const asked: { readonly tag: string; take(): void }[] = [];
    const keeper: KeeperLine = {
      close: () => undefined,
      request: (op) =>
        new Promise((resolve) => {
          if (op.op === "terminal-input") asked.push({ tag: op.tag, take: () => resolve({ taken: true }) });
        }),
    };
    const viewer = viewerOf(keeper, new NotingLink());
    const piece = Buffer.alloc(untakenBytesMax / 2);
    const [first, second] = [viewer.type(piece, "1"), viewer.type(piece, "2")];
    expect(await viewer.type(piece, "3")).toBe(false);
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.take();
    expect(await first).toBe(true);
    // There is room again, and this would stand where the third should have been.
    expect(await viewer.type(Buffer.from("4"), "4")).toBe(false);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.take();
    expect(await second).toBe(true);
    const fifth = viewer.type(Buffer.from("5"), "5");
    await expect.poll(() => asked.length).toBe(3);
    asked[2]?.take();
    expect(await fifth).toBe(true);
    expect(asked.map(({ tag }) => tag)).toEqual(["1", "2", "5"]);
    viewer.leave();
  });

  test("[TM13] who is far behind gets the screen as it is now, unless they want every byte", async () => {
    const said = "x".repeat(5 * 1024 * 1024);
    const [keeper, link] = [new SaidKeeper(said, said.length), new NotingLink()];
    await viewerOf(keeper, link, { from: 10 }).run();
    expect(link.shown).toBe(`<screen at ${said.length}>`);
    const every = new NotingLink();
    await viewerOf(new SaidKeeper(said), every, { from: 10, whole: true }).run();
    expect(every.shown.length).toBe(said.length - 10);
  });

  test("[TM13] one who takes nothing is sent nothing more, and nobody else waits for them", async () => {
    const said = "x".repeat(2 * 1024 * 1024);
    const [stuck, quick] = [new NotingLink(), new NotingLink()];
    stuck.pace = () => new Promise(() => undefined);
    const viewer = viewerOf(new SaidKeeper(said), stuck, { from: 0 });
    void viewer.run();
    await viewerOf(new SaidKeeper(said), quick, { from: 0 }).run();
    expect(quick.shown.length).toBe(said.length);
    expect(stuck.offsets).toHaveLength(1);
    viewer.leave();
  });

  test("[TM6] a new size wakes who waits, and shows the screen anew", async () => {
    const link = new NotingLink();
    const keeper = new SaidKeeper("", 0);
    const waiting = Promise.withResolvers<void>();
    const slow: KeeperLine = {
      close: () => undefined,
      request: (op, signal) => {
        if (op.op !== "terminal-read" || keeper.asked.length > 2) return keeper.request(op);
        waiting.resolve();
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
        });
      },
    };
    const viewer = viewerOf(slow, link);
    const running = viewer.run();
    await waiting.promise;
    keeper.asked.push("terminal-read", "terminal-read");
    viewer.renew();
    await running;
    expect(link.told).toEqual(["screen", "screen"]);
  });
});
