import { randomBytes } from "node:crypto";
import { TerminalLine, type TerminalEnd } from "../../client/terminal-line.ts";
import type { TerminalNews } from "../../protocol/terminal-stream.ts";
import type { Cli } from "../cli.ts";
import { completePlaces } from "../completers.ts";
import { type CommandSpec, type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { showView } from "../terminal/agent-views.ts";
import { nameOf, tellEnd } from "../terminal/attach-end.ts";
import { AttachedKeys, type AttachedKey, keysOfOne } from "../terminal/attached-keys.ts";
import { findOrOpen, findView, mustBeTerminal } from "../terminal/find-window.ts";
import { fits, type Way } from "../terminal/panes/pane-layout.ts";
import { PersonTerminal } from "../terminal/person-terminal.ts";
import { SayLine } from "../terminal/say-line.ts";
import { type Teller, tellNews } from "../terminal/tell-news.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly "read-only": boolean;
  readonly new: boolean;
  readonly stack: boolean;
  readonly window?: readonly string[];
};

const scrollback = 1000;
const keysHint = "ctrl-p ctrl-q leaves, and the terminal goes on";

const spec: CommandSpec<Flags, [string, ...string[]]> = {
  usage: "[--read-only] [--new] [--window NAME… [--stack]] AGENT|RUN|TERMINAL [-- COMMAND…]",
  about: `A terminal lives in the cage of an agent or a run, not here: it goes on when you leave, when your connection breaks
and when the daemon is killed, and it is recorded. Without --window it is your own, opened when it is not there. Several
people can look at the same one. One has the keyboard, and the terminal has the size of their window; ctrl-p ctrl-k asks
for it, ctrl-p ctrl-g gives it to whoever asked, ctrl-p ctrl-t takes it. Ctrl-p ctrl-s says a line to the others. Ctrl-p
ctrl-q leaves. The exit code is that of the program in the terminal. An agent has windows that are no terminals, too: one
for each service with what it says, "run" for the run in it, and "monitor" for its processes; ctrl-c leaves those. Several windows
stand side by side, or with --stack one above the other; ctrl-p ctrl-v opens one more shell beside this one, ctrl-p ctrl-d one
below it, ctrl-p ctrl-o goes to the next, and ctrl-p ctrl-z puts one away, which goes on.`,
  examples: [
    ["attach shop-1", "Your terminal in an agent: join it, or open it with a shell."],
    ["attach shop-1 --window web", "What its service web says, as it comes."],
    ["attach shop-1 -w me -w web -w monitor", "Three windows side by side."],
    ["attach r_1a", "Your terminal in the cage of a run."],
    ["attach --new r_1a -- htop", "Another one, with a program of its own."],
    ["attach --read-only te_2b", "Only look."],
  ],
  parameters: {
    flags: {
      "read-only": flag("Only looks: nothing that you press gets there."),
      new: flag("Opens another terminal, also where one is open."),
      window: {
        ...{ kind: "parsed", parse: parseNonEmpty, optional: true, variadic: true, placeholder: "NAME" },
        brief: "The window of this name; opened where there is none. Left out: your own.",
      },
      stack: flag("With several windows: one above the other."),
      json: jsonFlag,
    },
    aliases: { w: "window" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        parse: String,
        placeholder: "AGENT",
        brief: "An agent, a run or a terminal, then a program.",
        proposeCompletions: completePlaces,
      },
    },
  },
  async run(cli, { "read-only": readOnly, new: isNew, window: windows = [], stack, json }, target, ...argv) {
    const [window, ...more] = windows;
    if (more.length > 0) {
      if (argv.length > 0 || isNew)
        throw new UsageError("Several windows have programs already: leave --new and the program out.");
      // What draws them is loaded for nobody else.
      const { attachSeveral } = await import("../terminal/panes/attach-panes.ts");
      return attachSeveral(cli, target, windows, { readOnly, way: stack ? "stack" : "side", json });
    }
    const view = window === undefined ? undefined : await findView(cli, target, window);
    if (view !== undefined) {
      if (json) return cli.out.json({ view });
      return showView(cli, view);
    }
    mustBeTerminal(readOnly);
    const person = new PersonTerminal();
    const terminal = await findOrOpen(cli, target, argv, {
      ...{ isNew: isNew || argv.length > 0, window, readOnly, size: person.size },
    });
    if (json) return cli.out.json({ terminal });
    cli.out.note(`${terminal}: ${keysHint}.`);
    const { end, last, split } = await stay(cli, person, terminal, readOnly);
    if (split === undefined) return tellEnd(cli, last, end);
    const { splitFrom } = await import("../terminal/panes/attach-panes.ts");
    return splitFrom(cli, last, split);
  },
};

export const attach = defineCommand(spec);

export const agentAttach = defineCommand({
  ...spec,
  examples: [
    ["agent attach shop-1", "Your terminal in an agent: join it, or open it with a shell."],
    ["agent attach shop-1 --window web", "What its service web says, as it comes."],
  ],
});

const noticeMsMin = 1500;
async function stay(
  cli: Cli,
  person: PersonTerminal,
  terminal: string,
  readOnly: boolean,
): Promise<{ readonly end: TerminalEnd | undefined; readonly last: string; readonly split: Way | undefined }> {
  // Another one may come in its place.
  let last = terminal;
  const keys = new AttachedKeys(keysOfOne);
  const viewer = randomBytes(9).toString("hex");
  let saying: SayLine | undefined;
  let holder: string | undefined;
  /** Set when the person wants one more beside it. */
  let split: Way | undefined;
  /** Over the last line of a shell that stands in for another, until something else comes. */
  let notice: { readonly text: string; readonly sinceMs: number } | undefined;
  const leaveNotice = (): void => {
    if (notice !== undefined) person.clearLine();
    notice = undefined;
  };
  const drawSaying = (): void => {
    if (saying !== undefined) person.showLine(`say to all (Enter sends, Escape leaves): ${saying.text}`);
  };
  const line = new TerminalLine({
    open: cli.link.socket,
    wish: { terminal, viewer, name: nameOf(), readOnly, size: person.size, scrollback },
    onShow: (bytes, screen) => {
      // What a fresh shell says first is no reason to take it away.
      if (screen === undefined) {
        if (performance.now() - (notice?.sinceMs ?? 0) > noticeMsMin) leaveNotice();
        person.show(bytes);
      } else person.showScreen(bytes);
      if (notice !== undefined) person.showLine(notice.text);
      drawSaying();
    },
    onNews: (news) => {
      if ("moved" in news) {
        last = news.moved.terminal;
        notice = { text: `The agent was begun anew; this is its new shell, ${last}.`, sinceMs: performance.now() };
      }
      if ("viewers" in news) holder = news.viewers.find(({ keyboard }) => keyboard)?.viewer;
      tell(person, { terminal: last, viewer, holder }, news);
    },
    onConnection: (isConnected) => {
      if (!isConnected) person.setTitle(`${last}: the connection broke; trying again (${keysHint})`);
    },
  });
  const obey = (key: AttachedKey): void => {
    if (key === "detach") line.leave();
    else if (key === "side" || key === "stack") {
      if (readOnly || !fits(person.size, key, 2)) return person.ring();
      split = key;
      line.leave();
    } else if (key === "say") {
      saying = new SayLine();
      drawSaying();
    } else if (key === "give") line.say({ keyboard: "free" });
    else line.say({ keyboard: key });
    return undefined;
  };
  cli.interrupt.signal.addEventListener("abort", () => line.leave());
  const hearSaying = (words: SayLine, bytes: Uint8Array): void => {
    const end = words.take(bytes);
    if (end === undefined) return drawSaying();
    saying = undefined;
    if (end !== "left") line.say({ say: end.text });
    // What our line stood on is drawn again.
    return line.refresh();
  };
  person.take(
    (bytes) => {
      leaveNotice();
      if (saying !== undefined) return hearSaying(saying, bytes);
      for (const part of keys.take(bytes)) {
        if (typeof part === "string") obey(part);
        else if (!readOnly) line.type(part);
      }
      return undefined;
    },
    () => line.resize(person.size.cols, person.size.rows),
  );
  try {
    const end = await line.done;
    return { end, last, split };
  } finally {
    person.giveBack();
  }
}

/** What others do is told in the title: the screen belongs to the program. */
function tell(person: PersonTerminal, teller: Teller, news: TerminalNews): void {
  const told = tellNews(news, teller);
  if (told === undefined) return;
  if (told.rings) person.ring();
  if ("comingBack" in news) person.showLine(`${told.text} ctrl-p ctrl-q leaves`);
  else person.setTitle(told.text);
}
