import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { TerminalLine, type TerminalEnd } from "../../client/terminal-line.ts";
import type { TerminalNews } from "../../protocol/terminal-stream.ts";
import type { View } from "../../protocol/wire/terminal.ts";
import type { Cli } from "../cli.ts";
import { completePlaces } from "../completers.ts";
import { type CommandSpec, type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { showView } from "../terminal/agent-views.ts";
import { AttachedKeys, type AttachedKey } from "../terminal/attached-keys.ts";
import { PersonTerminal } from "../terminal/person-terminal.ts";
import { SayLine } from "../terminal/say-line.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & { readonly "read-only": boolean; readonly new: boolean; readonly window?: string };

const scrollback = 1000;
const keysHint = "ctrl-p ctrl-q leaves, and the terminal goes on";

const spec: CommandSpec<Flags, [string, ...string[]]> = {
  usage: "[--read-only] [--new] [--window NAME] AGENT|RUN|TERMINAL [-- COMMAND…]",
  about: `A terminal lives in the cage of an agent or a run, not here: it goes on when you leave, when your connection breaks
and when the daemon is killed, and it is recorded. Without --window it is your own, opened when it is not there. Several
people can look at the same one. One has the keyboard, and the terminal has the size of their window; ctrl-p ctrl-k asks
for it, ctrl-p ctrl-g gives it to whoever asked, ctrl-p ctrl-t takes it. Ctrl-p ctrl-s says a line to the others. Ctrl-p
ctrl-q leaves. The exit code is that of the program in the terminal. An agent has windows that are no terminals, too: one
for each service with what it says, "run" for the run in it, and "monitor" for its processes; ctrl-c leaves those.`,
  examples: [
    ["attach shop-1", "Your terminal in an agent: join it, or open it with a shell."],
    ["attach shop-1 --window web", "What its service web says, as it comes."],
    ["attach r_1a", "Your terminal in the cage of a run."],
    ["attach --new r_1a -- htop", "Another one, with a program of its own."],
    ["attach --read-only te_2b", "Only look."],
  ],
  parameters: {
    flags: {
      "read-only": flag("Only looks: nothing that you press gets there."),
      new: flag("Opens another terminal, also where one is open."),
      window: {
        ...{ kind: "parsed", parse: parseNonEmpty, optional: true, placeholder: "NAME" },
        brief: "The window of this name; opened where there is none. Left out: your own.",
      },
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
  async run(cli, { "read-only": readOnly, new: isNew, window, json }, target, ...argv) {
    const view = window === undefined ? undefined : await findView(cli, target, window);
    if (view !== undefined) {
      if (json) return cli.out.json({ view });
      return showView(cli, view);
    }
    if (!readOnly && process.stdin.isTTY !== true)
      throw new UsageError("attach needs a terminal on standard input. To only look, give --read-only.");
    const person = new PersonTerminal();
    const terminal = await findOrOpen(cli, target, argv, {
      ...{ isNew: isNew || argv.length > 0, window, readOnly, size: person.size },
    });
    if (json) return cli.out.json({ terminal });
    cli.out.note(`${terminal}: ${keysHint}.`);
    const { end, last } = await stay(cli, person, terminal, readOnly);
    return tellEnd(cli, last, end);
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

/** A window of an agent that is no terminal. */
async function findView(cli: Cli, target: string, window: string): Promise<View | undefined> {
  if (isTerminal(target) || isRun(target)) return undefined;
  const { views } = await cli.link.call("terminal.list", { agent: target, limit: 1 });
  const found = views.find((view) => view.window === window);
  if (found === undefined && window === "run") throw new UsageError(`No run is in ${target}.`);
  return found;
}

type How = {
  readonly isNew: boolean;
  readonly window: string | undefined;
  readonly readOnly: boolean;
  readonly size: { readonly cols: number; readonly rows: number };
};

/** The terminal that is meant: by its id, by the name of its window, the person's own, or a new one. */
async function findOrOpen(cli: Cli, target: string, argv: readonly string[], how: How): Promise<string> {
  const { isNew, window, readOnly, size } = how;
  if (isTerminal(target)) {
    if (isNew || window !== undefined)
      throw new UsageError(`${target} is a terminal that is there: leave --new, --window and the program out.`);
    return target;
  }
  const owner = isRun(target) ? { run: target } : { agent: target };
  if (readOnly && !isNew) {
    const { terminals } = await cli.link.call("terminal.list", owner);
    const found = terminals.find((each) => window === undefined || each.window === window);
    if (found !== undefined) return found.id;
    const which = window === undefined ? "no terminal" : `no window ${window}`;
    throw new UsageError(`${target} has ${which} that is open. Without --read-only one is opened.`);
  }
  const named = window === undefined ? {} : { window };
  const program = argv.length === 0 ? {} : { argv: [...argv] };
  return (await cli.link.call("terminal.open", { ...owner, ...named, join: !isNew, ...program, ...size })).terminal;
}

const noticeMsMin = 1500;
const isTerminal = (target: string): boolean => /^te_[0-9a-z]+$/.test(target);
const isRun = (target: string): boolean => /^r_[0-9a-z]+$/.test(target);

async function stay(
  cli: Cli,
  person: PersonTerminal,
  terminal: string,
  readOnly: boolean,
): Promise<{ readonly end: TerminalEnd | undefined; readonly last: string }> {
  // Another one may come in its place.
  let last = terminal;
  const keys = new AttachedKeys();
  const viewer = randomBytes(9).toString("hex");
  let saying: SayLine | undefined;
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
      tell(person, last, viewer, news);
    },
    onConnection: (isConnected) => {
      if (!isConnected) person.setTitle(`${last}: the connection broke; trying again (${keysHint})`);
    },
  });
  const obey = (key: AttachedKey): void => {
    if (key === "detach") line.leave();
    else if (key === "say") {
      saying = new SayLine();
      drawSaying();
    } else if (key === "give") line.say({ keyboard: "free" });
    else line.say({ keyboard: key });
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
    return { end: await line.done, last };
  } finally {
    person.giveBack();
  }
}

/** What others do is told in the title: the screen belongs to the program. */
function tell(person: PersonTerminal, terminal: string, viewer: string, news: TerminalNews): void {
  if ("comingBack" in news) {
    const { because } = news.comingBack;
    const why = because === null ? "" : ` (${because})`;
    person.showLine(`The agent is begun anew${why}; its shell comes back. You stay. ctrl-p ctrl-q leaves`);
  } else if ("moved" in news) {
    person.setTitle(`${news.moved.terminal}: the agent was begun anew, and so was the shell`);
  } else if ("said" in news) {
    person.ring();
    person.setTitle(`${news.said.name}: ${news.said.text}`);
  } else if ("refused" in news) {
    person.ring();
    person.setTitle(`${terminal}: somebody else has the keyboard (ctrl-p ctrl-k asks for it, ctrl-p ctrl-t takes it)`);
  } else if ("viewers" in news) {
    const { viewers } = news;
    const others = viewers.filter((each) => each.viewer !== viewer);
    const asking = others.find(({ asks }) => asks);
    const holder = viewers.find(({ keyboard }) => keyboard);
    if (asking !== undefined && holder?.viewer === viewer) person.ring();
    const words = [
      terminal,
      others.length === 0 ? "" : `with ${others.map(({ name }) => name).join(", ")}`,
      holder === undefined || holder.viewer === viewer ? "" : `${holder.name} types`,
      asking === undefined ? "" : `${asking.name} asks for the keyboard (ctrl-p ctrl-g)`,
    ];
    person.setTitle(words.filter((word) => word !== "").join(" · "));
  }
}

function tellEnd(cli: Cli, terminal: string, end: TerminalEnd | undefined): number {
  if (end === undefined) {
    cli.out.note(`Left. The terminal goes on: signalbox attach ${terminal}`);
    return 0;
  }
  if (end.why === "not-started") {
    cli.out.note(`${terminal} could not be opened: ${end.message ?? "nobody knows why"}`);
    return 1;
  }
  const how = {
    ...{ ended: "has ended", stopped: "was ended", lost: "was lost", "out-of-memory": "ran out of memory" },
    renewed: "went with its agent, which is begun anew",
  }[end.why];
  cli.out.note(`${terminal} ${how}. See it again: signalbox recording play ${terminal}`);
  return typeof end.exit === "number" ? end.exit : 1;
}

function nameOf(): string {
  return `${userInfo().username}@${hostname()}`.replaceAll(/[^\w.@-]/g, "").slice(0, 60) || "somebody";
}
