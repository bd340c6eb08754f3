// Somebody who looks at a terminal through a real daemon: every byte they were shown, and the screen that it gives.

import { readFileSync } from "node:fs";
import { TerminalLine, type TerminalEnd } from "../../src/client/terminal-line.ts";
import { Screen } from "../../src/keeper/terminals/screen.ts";
import { homePaths, type DaemonInfo } from "../../src/protocol/home.ts";
import type { AttachWish, PresentViewer, TerminalNews } from "../../src/protocol/terminal-stream.ts";

export class ViewerRig {
  static #made = 0;
  readonly viewer: string;
  readonly line: TerminalLine;
  /** All that was shown since the last whole screen. */
  shown = Buffer.alloc(0);
  readonly news: TerminalNews[] = [];
  screens = 0;
  /** How many connections it took. */
  sockets = 0;
  /** What this window asked the terminal behind it: nobody's answer may get to the program. */
  readonly answers: string[] = [];
  #screen: Screen | undefined;
  #wake = Promise.withResolvers<void>();

  constructor(home: string, wish: Omit<AttachWish, "viewer" | "name"> & { readonly name?: string }) {
    this.viewer = `viewer-${process.pid}-${++ViewerRig.#made}`;
    this.line = new TerminalLine({
      open: (path) => {
        this.sockets++;
        return openSocket(home, path);
      },
      wish: { name: this.viewer, ...wish, viewer: this.viewer },
      onShow: (bytes, screen) => this.#show(bytes, screen),
      onNews: (news) => this.#hear(news),
    });
    this.line.done.catch(() => undefined);
  }

  type(text: string): void {
    this.line.type(Buffer.from(text));
  }

  get viewers(): readonly PresentViewer[] {
    return this.news.findLast((news) => "viewers" in news)?.viewers ?? [];
  }

  get hasKeyboard(): boolean {
    return this.viewers.some(({ viewer, keyboard }) => keyboard && viewer === this.viewer);
  }

  /** Resolves when something is as wished, which is looked at whenever something comes; fails when nothing comes any more. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let isOver = false; ;) {
      const changed = this.#wake.promise;
      if (await isSo()) return;
      if (isOver) throw new Error(`${this.viewer} was shown all there is, and it is not so`);
      await Promise.race([changed, this.line.done.then(() => (isOver = true))]);
    }
  }

  /** Resolves when two windows show the same. Whichever was the last to hear of something looks. */
  async agreesWith(other: ViewerRig): Promise<void> {
    const isSame = async (): Promise<boolean> => (await this.whole()) === (await other.whole());
    await Promise.any([this.until(isSame), other.until(isSame)]);
  }

  /** Resolves when the screen shows this. */
  async sees(text: string | RegExp): Promise<string> {
    let all = "";
    await this.until(async () => {
      all = (await this.lines()).join("\n");
      return typeof text === "string" ? all.includes(text) : text.test(all);
    });
    return all;
  }

  async lines(): Promise<string[]> {
    await this.#drawn();
    return this.#screen?.lines() ?? [];
  }

  /** Everything about what is shown, to compare. */
  async whole(): Promise<string> {
    await this.#drawn();
    return this.#screen?.serialize(0) ?? "";
  }

  ended(): Promise<TerminalEnd | undefined> {
    return this.line.done;
  }

  leave(): void {
    this.line.leave();
  }

  #show(bytes: Uint8Array, screen: { readonly cols: number; readonly rows: number } | undefined): void {
    if (screen !== undefined) {
      this.screens++;
      this.shown = Buffer.alloc(0);
      this.#screen = new Screen({ ...screen, onAnswer: (text) => this.answers.push(text) });
    } else {
      this.shown = Buffer.concat([this.shown, bytes]);
    }
    this.#screen?.write(bytes);
    this.#changed();
  }

  #hear(news: TerminalNews): void {
    this.news.push(news);
    this.#changed();
  }

  #changed(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #drawn(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#screen === undefined) resolve();
      else this.#screen.write(new Uint8Array(0), resolve);
    });
  }
}

function openSocket(home: string, path: string): WebSocket {
  const paths = homePaths(home);
  const { url } = JSON.parse(readFileSync(paths.daemon, "utf8")) as DaemonInfo;
  const token = readFileSync(paths.token, "utf8").trim();
  return new WebSocket(`${url.replace(/^http/, "ws")}${path}`, ["signalbox", `bearer.${token}`]);
}
