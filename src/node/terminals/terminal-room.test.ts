import { describe, expect, test } from "vitest";
import type { Terminal, Viewer } from "../../core/terminal/terminal-events.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import { attachSchema, type TerminalNews } from "../../protocol/terminal-stream.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { TerminalRoom } from "./terminal-room.ts";
import { TerminalViewer } from "./terminal-viewer.ts";

/** A room whose log is a variable. */
class RoomRig {
  readonly passed: string[] = [];
  readonly asked: KeeperOp[] = [];
  readonly timers: (() => void)[] = [];
  readonly viewers: TerminalViewer[] = [];
  /** What has to be over before the log has something. */
  gate: Promise<void> | undefined;
  holder: Viewer | null = null;
  readonly room: TerminalRoom;
  readonly #keeper: KeeperLine = {
    request: (op) => {
      this.asked.push(op);
      return Promise.resolve({ taken: true });
    },
    close: () => undefined,
  };

  constructor() {
    this.room = new TerminalRoom({
      terminal: "te_1",
      state: () => ({ keyboard: this.holder, asks: [], ended: null }) as unknown as Terminal,
      keeper: () => Promise.resolve(this.#keeper),
      pass: async (who, act) => {
        if (this.gate !== undefined) await this.gate;
        this.passed.push(`${who.name} ${act}`);
        if (act === "take" || (act === "ask" && this.holder === null)) this.holder = who;
        if (act === "free" && this.holder?.viewer === who.viewer) this.holder = null;
        await this.room.heardKeyboard();
      },
      setTimer: (_, act) => {
        this.timers.push(act);
        return () => void this.timers.splice(this.timers.indexOf(act), 1);
      },
      wallMs: () => 1_000,
    });
  }

  async join(
    name: string,
    more: { readonly readOnly?: boolean } = {},
  ): Promise<{ viewer: TerminalViewer; news: TerminalNews[] }> {
    const news: TerminalNews[] = [];
    const attach = { terminal: "te_1", viewer: `viewer-${name}`, name, size: { cols: 90, rows: 20 }, ...more };
    const link = {
      show: () => undefined,
      tell: (each: TerminalNews) => void news.push(each),
      ready: () => Promise.resolve(),
      close: () => undefined,
    };
    const wish = attachSchema.parse({ attach }).attach;
    const viewer = new TerminalViewer(
      wish,
      link,
      () => Promise.resolve(this.#keeper),
      () => undefined,
    );
    this.viewers.push(viewer);
    await this.room.join(viewer);
    return { viewer, news };
  }
}

const bytes = Buffer.from("x");

describe("those who look at a terminal together", () => {
  test("[TM11] only what the holder types gets to the keeper, once under its number", async () => {
    const rig = new RoomRig();
    const ann = await rig.join("ann");
    const bea = await rig.join("bea");
    const looker = await rig.join("cem", { readOnly: true });
    await rig.room.type(ann.viewer, 1, bytes);
    await rig.room.type(bea.viewer, 1, bytes);
    await rig.room.type(looker.viewer, 1, bytes);
    const typed = rig.asked.filter(({ op }) => op === "terminal-input");
    expect(typed).toEqual([{ op: "terminal-input", terminal: "te_1", base64: "eA==", tag: "viewer-ann-1" }]);
    expect(ann.news).toContainEqual({ typed: 1 });
    expect(bea.news).toContainEqual({ refused: 1 });
    expect(looker.news).toContainEqual({ refused: 1 });
    expect(rig.passed).toEqual(["ann ask"]);
    await rig.room.hear(looker.viewer, { keyboard: "take" });
    expect(rig.holder?.name).toBe("ann");
  });

  test("[TM28] who merely comes asks for nothing, and who types while the keyboard is free has it", async () => {
    const rig = new RoomRig();
    const [ann, bea] = await Promise.all([rig.join("ann"), rig.join("bea")]);
    expect(rig.passed).toEqual(["ann ask"]);
    rig.room.leave(ann.viewer, true);
    expect(rig.holder).toBeNull();
    await rig.room.type(bea.viewer, 1, bytes);
    expect(rig.passed).toEqual(["ann ask", "ann free", "bea ask"]);
    expect(bea.news).toContainEqual({ typed: 1 });
    expect(rig.asked.findLast(({ op }) => op === "terminal-input")).toMatchObject({ tag: "viewer-bea-1" });
  });

  test("[TM28] what is typed while it is decided who has the keyboard waits, and is typed in order", async () => {
    const rig = new RoomRig();
    const gate = Promise.withResolvers<void>();
    rig.gate = gate.promise;
    const joining = rig.join("ann");
    await expect.poll(() => rig.viewers).toHaveLength(1);
    const [viewer] = rig.viewers;
    const typing = [1, 2].map((number) => rig.room.type(viewer!, number, bytes));
    gate.resolve();
    const { news } = await joining;
    const last = rig.room.type(viewer!, 3, bytes);
    await Promise.all([...typing, last]);
    expect(news.flatMap((each) => ("refused" in each ? [each] : []))).toEqual([]);
    const tags = rig.asked.flatMap((op) => (op.op === "terminal-input" ? [op.tag] : []));
    expect(tags).toEqual(["viewer-ann-1", "viewer-ann-2", "viewer-ann-3"]);
  });

  test("[TM12] a keyboard waits for one whose connection broke, and is free when they do not come", async () => {
    const rig = new RoomRig();
    const ann = await rig.join("ann");
    rig.room.leave(ann.viewer, false);
    expect(rig.room.isEmpty).toBe(false);
    const again = await rig.join("ann");
    expect(rig.timers).toHaveLength(0);
    expect(rig.holder?.name).toBe("ann");
    rig.room.leave(again.viewer, false);
    rig.timers[0]?.();
    expect(rig.holder).toBeNull();
    expect(rig.passed).toEqual(["ann ask", "ann free"]);
  });

  test("[TM9] who leaves for good leaves the keyboard at once", async () => {
    const rig = new RoomRig();
    const ann = await rig.join("ann");
    rig.room.leave(ann.viewer, true);
    expect(rig.passed).toEqual(["ann ask", "ann free"]);
    expect(rig.room.isEmpty).toBe(true);
  });

  test("[TM6] the size is the holder's, and is told once", async () => {
    const rig = new RoomRig();
    const ann = await rig.join("ann");
    const bea = await rig.join("bea");
    await rig.room.hear(ann.viewer, { resize: { cols: 100, rows: 30 } });
    await rig.room.hear(ann.viewer, { resize: { cols: 100, rows: 30 } });
    await rig.room.hear(bea.viewer, { resize: { cols: 50, rows: 10 } });
    const sizes = rig.asked.flatMap((op) => (op.op === "terminal-resize" ? `${op.cols}x${op.rows}` : []));
    expect(sizes).toEqual(["90x20", "100x30"]);
    await rig.room.hear(bea.viewer, { keyboard: "take" });
    expect(rig.asked.at(-1)).toMatchObject({ op: "terminal-resize", cols: 50, rows: 10 });
    expect(bea.news).toContainEqual({ size: { cols: 50, rows: 10 } });
  });

  test("what somebody says to the others, all of them hear, also from one who only looks", async () => {
    const rig = new RoomRig();
    const ann = await rig.join("ann");
    const looker = await rig.join("cem", { readOnly: true });
    await rig.room.hear(looker.viewer, { say: "look at line 3" });
    expect(ann.news).toContainEqual({ said: { name: "cem", text: "look at line 3", atMs: 1_000 } });
  });

  test("[TM19] who comes hears the last of what was said, and nothing of it was typed", async () => {
    const rig = new RoomRig();
    await rig.join("ann");
    const before = rig.asked.length;
    for (let number = 1; number <= 25; number++) rig.room.say("eva", `word ${number}`);
    expect(rig.asked.length).toBe(before);
    const late = await rig.join("bea");
    const heard = late.news.flatMap((news) => ("said" in news ? [news.said.text] : []));
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => `word ${index + 6}`));
  });
});
