import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { systemClock } from "../../adapters/clock/system-clock.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import { attachSchema } from "../../protocol/terminal-stream.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { Recordings } from "./recordings.ts";
import { Terminals } from "./terminals.ts";

/** Knows a terminal when it was opened, and no sooner. */
class SlowKeeper implements KeeperLine {
  readonly mayOpen = Promise.withResolvers<void>();
  #isOpen = false;

  async request(op: KeeperOp): Promise<unknown> {
    if (op.op === "terminal-open") {
      await this.mayOpen.promise;
      this.#isOpen = true;
      return {};
    }
    if (op.op === "terminal-wait") return new Promise(() => undefined);
    if (!this.#isOpen) throw new Fault("unknown-call", { retry: "never", message: "there is no such terminal" });
    if (op.op === "terminal-screen")
      return { screen: "the screen", offset: 0, cols: 80, rows: 24, title: "", lines: ["the screen"] };
    if (op.op === "terminal-line")
      throw new Fault("bad-request", { retry: "never", message: "there is no such thing" });
    if (op.op === "terminal-read") return new Promise(() => undefined);
    return {};
  }

  close(): void {
    // There is nothing to let go of.
  }
}

test("[TM16] who looks at a terminal before it is open is shown it as soon as it is", async () => {
  const core = new CoreWorld();
  core.project({});
  const run = core.started();
  core.ok({ type: "terminal.open", run, argv: [], cols: 80, rows: 24 });
  const [terminal = ""] = core.state.terminals.keys();
  const act = core.pending().find((each) => each.type === "terminal");
  if (act?.type !== "terminal") throw new Error("nothing is to be opened");
  const keeper = new SlowKeeper();
  const terminals = new Terminals({
    recordings: new Recordings({ folder: makeTempFolder(), owner: { uid: userInfo().uid, gid: userInfo().gid } }),
    clock: systemClock,
    onDefect: (error) => expect.fail(String(error)),
  });
  terminals.connect({
    state: () => core.state,
    submit: async () => ({ ok: true }),
    keeperOf: async () => keeper,
    envOf: async () => ({}),
    closing: new AbortController().signal,
  });
  const shown = Promise.withResolvers<string>();
  const { attach } = attachSchema.parse({ attach: { terminal, viewer: "viewer-1", name: "ann" } });
  const link = { tell: () => undefined, ready: async () => undefined, close: () => shown.reject(new Error("closed")) };
  terminals.attach(attach, { ...link, show: (_, bytes) => shown.resolve(Buffer.from(bytes).toString()) }, "person:ann");
  void terminals.keep(act);
  const lines = terminals.lines(terminal);
  keeper.mayOpen.resolve();
  expect(await shown.promise).toBe("the screen");
  expect(await lines).toEqual(["the screen"]);
});
