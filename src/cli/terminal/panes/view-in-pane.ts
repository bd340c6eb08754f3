// A view of an agent in one pane of ours: drawn as if the pane were a screen of its own.

import type { View } from "../../../protocol/wire/terminal.ts";
import type { Cli } from "../../cli.ts";
import { Interrupt, Interrupted } from "../../interrupt.ts";
import { showView } from "../agent-views.ts";
import type { Shown } from "./desk.ts";
import type { Size } from "./pane-layout.ts";
import { PaneScreen } from "./pane-screen.ts";
import type { PaneParts } from "./terminal-in-pane.ts";

export class ViewInPane implements Shown {
  readonly screen: PaneScreen;
  readonly name: string;
  readonly #interrupt = new Interrupt();
  #size: Size;

  constructor(cli: Cli, view: View, { size, onDrawn }: Pick<PaneParts, "size" | "onDrawn">) {
    this.name = view.window;
    this.#size = size;
    this.screen = new PaneScreen(size, onDrawn);
    const now = (): Size => this.#size;
    const stream = {
      write: (text: string | Uint8Array): void => this.screen.write(toLines(text)),
      isTTY: true,
      get columns(): number {
        return now().cols;
      },
      get rows(): number {
        return now().rows;
      },
    };
    void showView(cli.beside(stream, this.#interrupt), view).catch((error: unknown) => {
      if (!(error instanceof Interrupted) && !this.#interrupt.signal.aborted)
        this.screen.write(`\r\n${error instanceof Error ? error.message : String(error)}\r\n`);
    });
  }

  fit(size: Size): void {
    this.#size = size;
    this.screen.resize(size);
  }

  leave(): void {
    this.#interrupt.leave();
    this.screen.dispose();
  }
}

/** Nobody changes line ends on their way to a pane. */
function toLines(text: string | Uint8Array): string {
  return (typeof text === "string" ? text : Buffer.from(text).toString("utf8")).replaceAll(/\r?\n/g, "\r\n");
}
