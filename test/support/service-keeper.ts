// A keeper for tests of services: what runs there is only said to run until somebody stops it, and what is done to the files of
// its variables is done for real, in a folder of the test.

import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { Fault } from "../../src/base/fault.ts";
import type { KeeperOp } from "../../src/protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../../src/node/workspace/keepers.ts";
import { makeTempFolder } from "./temp-folder.ts";

type StartOp = Extract<KeeperOp, { op: "start" }>;
type Ended = { readonly exit: number | "unknown"; readonly signal: null; readonly why: string; readonly tail: string };

export class ServiceKeeper implements KeeperLine {
  /** What was asked, in order. */
  readonly asked: KeeperOp[] = [];
  readonly #folder = makeTempFolder();
  readonly #calls = new Map<string, { readonly order: StartOp; readonly input: Buffer[] }>();
  readonly #ends = new Map<string, PromiseWithResolvers<Ended>>();
  readonly #onAsked: (op: KeeperOp) => unknown;

  /** `onAsked` may answer in its place, or throw. */
  constructor(onAsked: (op: KeeperOp) => unknown = () => undefined) {
    this.#onAsked = onAsked;
  }

  /** The calls that it has. */
  get calls(): string[] {
    return [...this.#calls.keys()];
  }

  /** How often it was asked this. */
  count(op: KeeperOp["op"]): number {
    return this.asked.filter((each) => each.op === op).length;
  }

  /** Where a file of the agent is here. */
  at(file: string): string {
    return join(this.#folder, basename(file));
  }

  async request(op: KeeperOp): Promise<unknown> {
    this.asked.push(op);
    const answer = await this.#onAsked(op);
    return answer ?? this.#answer(op);
  }

  close(): void {}

  #answer(op: KeeperOp): unknown {
    if (op.op === "start") {
      const found = this.#calls.has(op.call);
      if (!found) this.#calls.set(op.call, { order: op, input: [] });
      return { found };
    }
    if (op.op === "forget") return void this.#calls.delete(op.call);
    if (!("call" in op)) throw new Fault("bad-request", { retry: "never", message: `nobody asks for ${op.op} here` });
    const known = this.#calls.get(op.call);
    if (known === undefined)
      throw new Fault("unknown-call", { retry: "never", message: `there is no call ${op.call}` });
    switch (op.op) {
      case "input":
        return void known.input.push(Buffer.from(op.base64, "base64"));
      case "wait":
        return known.order.stdin === true ? this.#run(known.order, known.input) : this.#endOf(op.call).promise;
      case "stop":
        this.#endOf(op.call).resolve({ exit: 143, signal: null, why: "stopped", tail: "" });
        return { stopped: 1 };
      case "limit":
        return { held: true };
      case "output":
        return { base64: "", offset: 0, totalBytes: 0, ended: false };
      default:
        return {};
    }
  }

  #endOf(call: string): PromiseWithResolvers<Ended> {
    const end = this.#ends.get(call) ?? Promise.withResolvers<Ended>();
    this.#ends.set(call, end);
    return end;
  }

  #run({ argv }: StartOp, input: readonly Buffer[]): Ended {
    const [program, ...words] = [...argv.slice(0, -1), this.at(argv.at(-1) ?? "")];
    const { status, stderr } = spawnSync(program, words, { input: Buffer.concat(input), encoding: "utf8" });
    return { exit: status ?? "unknown", signal: null, why: "ended", tail: stderr };
  }
}
