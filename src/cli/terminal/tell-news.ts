// What happens around a terminal, in words for whoever is in it.

import type { TerminalNews } from "../../protocol/terminal-stream.ts";

export type Told = { readonly text: string; readonly rings: boolean };

export type Teller = {
  readonly terminal: string;
  /** Who is told. */
  readonly viewer: string;
  /** Who types. */
  readonly holder: string | undefined;
};

/** Undefined where there is nothing to tell. */
export function tellNews(news: TerminalNews, { terminal, viewer, holder }: Teller): Told | undefined {
  if ("comingBack" in news) {
    const { because } = news.comingBack;
    const why = because === null ? "" : ` (${because})`;
    return { text: `The agent is begun anew${why}; its shell comes back. You stay.`, rings: false };
  }
  if ("moved" in news)
    return { text: `${news.moved.terminal}: the agent was begun anew, and so was the shell`, rings: false };
  if ("said" in news) return { text: `${news.said.name}: ${news.said.text}`, rings: true };
  if ("refused" in news) {
    const why =
      holder === undefined || holder === viewer
        ? "the program does not read what you type"
        : "somebody else has the keyboard (ctrl-p ctrl-k asks for it, ctrl-p ctrl-t takes it)";
    return { text: `${terminal}: ${why}`, rings: true };
  }
  return "viewers" in news ? tellViewers(news.viewers, terminal, viewer) : undefined;
}

type Viewers = Extract<TerminalNews, { viewers: unknown }>["viewers"];

function tellViewers(viewers: Viewers, terminal: string, viewer: string): Told {
  const others = viewers.filter((each) => each.viewer !== viewer);
  const asking = others.find(({ asks }) => asks);
  const typing = viewers.find(({ keyboard }) => keyboard);
  const words = [
    terminal,
    others.length === 0 ? "" : `with ${others.map(({ name }) => name).join(", ")}`,
    typing === undefined || typing.viewer === viewer ? "" : `${typing.name} types`,
    asking === undefined ? "" : `${asking.name} asks for the keyboard (ctrl-p ctrl-g)`,
  ];
  return {
    text: words.filter((word) => word !== "").join(" · "),
    rings: asking !== undefined && typing?.viewer === viewer,
  };
}
