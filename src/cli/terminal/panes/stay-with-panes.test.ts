import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Cli } from "../../cli.ts";
import type { PersonTerminal } from "../person-terminal.ts";
import { type PaneWish, stayWithPanes } from "./stay-with-panes.ts";

class SilentSocket extends EventTarget {
  send(): void {
    // Nobody is there.
  }

  close(): void {
    // Nobody is there.
  }
}

class NotingPerson {
  readonly size = { cols: 120, rows: 40 };
  /** Since their terminal was given back. */
  shownLate = "";
  type: (bytes: Uint8Array) => void = () => undefined;
  #isBack = false;

  show(bytes: Uint8Array | string): void {
    if (this.#isBack) this.shownLate += bytes.toString();
  }

  showScreen(bytes: Uint8Array): void {
    this.show(bytes);
  }

  ring(): void {
    this.show("(bell)");
  }

  take(onKeys: (bytes: Uint8Array) => void): void {
    this.type = onKeys;
  }

  giveBack(): void {
    this.#isBack = true;
  }
}

const [beside, leaves] = [Uint8Array.of(0x10, 0x16), Uint8Array.of(0x10, 0x11)];

function stay(open: () => Promise<Extract<PaneWish, { terminal: string }>>) {
  const person = new NotingPerson();
  const sockets: SilentSocket[] = [];
  const socket = (): WebSocket => {
    const made = new SilentSocket();
    sockets.push(made);
    return made as unknown as WebSocket;
  };
  const cli = { link: { socket }, interrupt: new AbortController() } as unknown as Cli;
  const panes = [{ terminal: "te_1", name: "me" }];
  const wish = { panes, way: "side", focus: 0, readOnly: false, by: "ann", open } as const;
  return { person, sockets, left: stayWithPanes(cli, person as unknown as PersonTerminal, wish) };
}

test("[TM26] who leaves while a shell is being opened has left: no pane is made of it, and nothing is drawn over theirs", async () => {
  const opening = Promise.withResolvers<{ terminal: string; name: string }>();
  const { person, sockets, left } = stay(() => opening.promise);
  person.type(beside);
  person.type(leaves);
  expect(await left).toBeUndefined();
  opening.resolve({ terminal: "te_2", name: "me-2" });
  await opening.promise;
  await turn();
  expect(sockets).toHaveLength(1);
  expect(person.shownLate).toBe("");
});

test("[TM26] who leaves while a shell is being opened does not hear that it could not be", async () => {
  const opening = Promise.withResolvers<{ terminal: string; name: string }>();
  const { person, left } = stay(() => opening.promise);
  person.type(beside);
  person.type(leaves);
  await left;
  opening.reject(new Error("there are too many"));
  await opening.promise.catch(() => undefined);
  await turn();
  expect(person.shownLate).toBe("");
});
