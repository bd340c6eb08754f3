// What a person sees of a terminal beside its screen: who is there, who types, how the connection is, how it ended.

import type { PresentViewer, Said, TerminalNews } from "../../protocol/terminal-stream.ts";
import type { Terminal } from "../../protocol/wire/terminal.ts";

export type TerminalView = {
  readonly link: "connecting" | "live" | "broken";
  readonly viewers: readonly PresentViewer[];
  readonly size: { readonly cols: number; readonly rows: number } | null;
  /** Something was typed while somebody else had the keyboard, or while too much was waiting: its number. */
  readonly refused: number | null;
  /** The last line that somebody said to all. */
  readonly said: Said | null;
  readonly ended: NonNullable<Terminal["ended"]> | null;
  /** It went with its agent's place, and another one is about to stand in for it: what happened. */
  readonly comingBack: string | null;
  /** It stands in for one that went, and nothing was typed in it yet. */
  readonly isNew: boolean;
  /** Why there is nothing to see. */
  readonly trouble: string | null;
};

export const emptyView: TerminalView = {
  link: "connecting",
  viewers: [],
  size: null,
  refused: null,
  said: null,
  ended: null,
  comingBack: null,
  isNew: false,
  trouble: null,
};

export function evolveView(view: TerminalView, news: TerminalNews): TerminalView {
  if ("screen" in news)
    return { ...view, link: "live", size: { cols: news.screen.cols, rows: news.screen.rows }, comingBack: null };
  if ("comingBack" in news) return { ...view, link: "live", comingBack: news.comingBack.because ?? "" };
  if ("size" in news) return { ...view, size: news.size };
  if ("viewers" in news) return { ...view, link: "live", viewers: news.viewers, refused: null };
  if ("moved" in news) return { ...view, isNew: true };
  if ("typed" in news) return evolveTyped(view, news.typed);
  if ("refused" in news) return { ...view, refused: news.refused };
  if ("said" in news) return { ...view, said: news.said };
  if ("ended" in news) return { ...view, ended: news.ended };
  return view;
}

/** Most of what is typed is no news: the same view says so. */
function evolveTyped(view: TerminalView, typed: number): TerminalView {
  // What was typed before something that was refused may be taken long after.
  const isHeard = view.refused !== null && typed > view.refused;
  return view.isNew || isHeard ? { ...view, isNew: false, refused: isHeard ? null : view.refused } : view;
}

export type Keyboard = {
  /** Who types now. */
  readonly holder: PresentViewer | undefined;
  readonly isMine: boolean;
  readonly iAsk: boolean;
  /** Others who wait for it, the first first. */
  readonly asking: readonly PresentViewer[];
};

export function keyboardOf({ viewers }: TerminalView, me: string): Keyboard {
  const own = viewers.find(({ viewer }) => viewer === me);
  return {
    holder: viewers.find(({ keyboard }) => keyboard),
    isMine: own?.keyboard === true,
    iAsk: own?.asks === true,
    asking: viewers.filter(({ asks, viewer }) => asks && viewer !== me),
  };
}

/** One sentence on how things are. */
export function tellView(view: TerminalView, me: string, readOnly: boolean): string {
  const { ended, trouble, link } = view;
  if (trouble !== null) return trouble;
  if (ended !== null) return ended.message ?? `It has ended${ended.exit === "unknown" ? "" : ` with ${ended.exit}`}.`;
  if (view.comingBack !== null)
    return `The agent is begun anew${view.comingBack === "" ? "" : ` (${view.comingBack})`}; its shell comes back here.`;
  if (link === "broken") return "The connection broke; trying again. The terminal goes on.";
  if (link === "connecting") return "Connecting …";
  const { holder, isMine, iAsk } = keyboardOf(view, me);
  if (isMine) {
    const begun = view.isNew ? " The agent was begun anew, and so was this shell." : "";
    const full =
      view.refused === null ? "" : " What you typed last went nowhere: more is waiting than the program reads.";
    return `You have the keyboard.${begun}${full}`;
  }
  const types = holder === undefined ? "Nobody has the keyboard." : `${holder.name} has the keyboard.`;
  if (readOnly) return `You only look. ${types}`;
  if (iAsk) return `${types} You asked for it.`;
  return view.refused !== null ? `${types} What you typed went nowhere.` : types;
}
