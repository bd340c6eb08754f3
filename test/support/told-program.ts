// An assistant whose program says what a test has it say, under a keeper that has nothing else.

import type { Assistant, AssistantJob, Talk } from "../../src/ports/assistant.ts";
import type { Heard } from "../../src/core/run/heard.ts";
import type { KeeperLine } from "../../src/node/workspace/keepers.ts";
import type { KeeperOp } from "../../src/protocol/keeper/keeper-wire.ts";

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros: null };
const end = { exit: 0, signal: null, why: "ended", outputBytes: 0, leftOutBytes: 0, tail: "" } as const;

/** Its lines are a kind of what is heard and a text. What it is told is kept; its prompt is what it is told first. */
export class ToldProgram implements KeeperLine {
  readonly told: string[] = [];
  #output = "";
  #call = "";
  #ended = false;
  #changed = Promise.withResolvers<void>();
  readonly #begun = new Map<string, boolean>();

  say(...lines: readonly string[]): void {
    this.#output += lines.map((line) => `${line}\n`).join("");
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Resolves when it was told so much, its prompts among it. */
  async wasTold(count: number): Promise<void> {
    while (this.told.length < count) await this.#changed.promise;
  }

  async request(op: KeeperOp, signal?: AbortSignal): Promise<unknown> {
    switch (op.op) {
      case "read":
        return { bytes: null };
      case "start":
        if (isProgram(op.call) && !this.#begun.has(op.call)) {
          [this.#call, this.#output, this.#ended] = [op.call, "", false];
          this.#begun.set(op.call, true);
        }
        return {};
      case "input":
        if (op.call === this.#call && op.base64 !== "") this.told.push(Buffer.from(op.base64, "base64").toString());
        this.#wake();
        return { taken: true };
      case "stop":
        this.end();
        return {};
      case "output":
        return this.#read(op.offset, op.limit, op.wait === true, signal);
      default:
        return end;
    }
  }

  close(): void {
    this.end();
  }

  async #read(offset: number, limit: number, wait: boolean, signal: AbortSignal | undefined): Promise<unknown> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => undefined);
    signal?.addEventListener("abort", () => aborted.reject(new Error("given up")), { once: true });
    const isThere = (): boolean => !wait || this.#ended || this.#output.length > offset;
    while (!isThere()) await Promise.race([this.#changed.promise, aborted.promise]);
    const base64 = Buffer.from(this.#output.slice(offset, offset + limit)).toString("base64");
    return { base64, offset, totalBytes: this.#output.length, ended: this.#ended };
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

function isProgram(call: string): boolean {
  return /-(assistant|once)-\d+$/.test(call);
}

/** Spoken to between its turns only, as those are that hear people at the door. */
export function toldAssistant(more: Partial<Assistant> = {}): Assistant {
  const can = { streaming: true, messages: true, resume: true, interrupt: true, steer: true, cost: false };
  return {
    ...{ name: "told", program: "told", install: "", tried: null, provider: null, hearsAtDoor: true },
    can: { ...can, subagents: false, models: false, native: false },
    begin: () => ({ args: [], env: {}, files: [], cwd: "home" }),
    talk: ({ prompt }: AssistantJob): Talk => ({
      open: () => prompt,
      read: (line) => ({ heard: [toHeard(line)], write: "" }),
      say: (text, owes) => (owes ? null : { write: text, begins: true }),
      interrupt: () => "",
    }),
    ...more,
  };
}

function toHeard(line: string): Heard {
  const [is, ...words] = line.split(" ");
  const text = words.join(" ");
  if (is === "session") return { is, session: text, model: null };
  if (is === "turn") return { is, ok: true, text, why: "ended", usage };
  if (is === "tool") return { is, call: text, tool: text, parent: null };
  return { is: "message", text, parent: null };
}
