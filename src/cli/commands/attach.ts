import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { TerminalLine, type TerminalEnd } from "../../client/terminal-line.ts";
import type { TerminalNews } from "../../protocol/terminal-stream.ts";
import type { Cli } from "../cli.ts";
import { completeRuns } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { AttachedKeys, type AttachedKey } from "../terminal/attached-keys.ts";
import { PersonTerminal } from "../terminal/person-terminal.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & { readonly "read-only": boolean; readonly new: boolean };

const scrollback = 1000;
const keysHint = "ctrl-p ctrl-q leaves, and the terminal goes on";

export const attach = defineCommand<Flags, [string, ...string[]]>({
  usage: "[--read-only] [--new] RUN|TERMINAL [-- COMMAND…]",
  about: `A terminal lives in the run's agent, not here: it goes on when you leave, when your connection breaks and when the
daemon is killed, and it is recorded. Several people can look at the same one. One has the keyboard, and the terminal has
the size of their window; ctrl-p ctrl-k asks for it, ctrl-p ctrl-g gives it to whoever asked, ctrl-p ctrl-t takes it.
Ctrl-p ctrl-q leaves. The exit code is that of the program in the terminal.`,
  examples: [
    ["attach r_1a", "Join its terminal, or open one with a shell."],
    ["attach --new r_1a -- htop", "Another one, with a program of its own."],
    ["attach --read-only te_2b", "Only look."],
  ],
  parameters: {
    flags: {
      "read-only": flag("Only looks: nothing that you press gets there."),
      new: flag("Opens another terminal, also where one is open."),
      json: jsonFlag,
    },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        parse: String,
        placeholder: "RUN",
        brief: "A run or a terminal, then a program.",
        proposeCompletions: completeRuns,
      },
    },
  },
  async run(cli, { "read-only": readOnly, new: isNew, json }, target, ...argv) {
    if (!readOnly && process.stdin.isTTY !== true)
      throw new UsageError("attach needs a terminal on standard input. To only look, give --read-only.");
    const person = new PersonTerminal();
    const terminal = await findOrOpen(cli, target, argv, {
      isNew: isNew || argv.length > 0,
      readOnly,
      size: person.size,
    });
    if (json) return cli.out.json({ terminal });
    cli.out.note(`${terminal}: ${keysHint}.`);
    const end = await stay(cli, person, terminal, readOnly);
    return tellEnd(cli, terminal, end);
  },
});

/** The terminal that is meant: by its id, the newest open one of a run, or a new one. */
async function findOrOpen(
  cli: Cli,
  target: string,
  argv: readonly string[],
  how: {
    readonly isNew: boolean;
    readonly readOnly: boolean;
    readonly size: { readonly cols: number; readonly rows: number };
  },
): Promise<string> {
  if (target.startsWith("te_")) {
    if (how.isNew) throw new UsageError(`${target} is a terminal that is there: leave --new and the program out.`);
    return target;
  }
  const { terminals } = how.isNew ? { terminals: [] } : await cli.link.call("terminal.list", { run: target, limit: 1 });
  const [open] = terminals;
  if (open !== undefined) return open.id;
  if (how.readOnly && !how.isNew)
    throw new UsageError(`${target} has no terminal that is open. Without --read-only one is opened.`);
  const program = argv.length === 0 ? {} : { argv: [...argv] };
  return (await cli.link.call("terminal.open", { run: target, ...program, ...how.size })).terminal;
}

async function stay(
  cli: Cli,
  person: PersonTerminal,
  terminal: string,
  readOnly: boolean,
): Promise<TerminalEnd | undefined> {
  const keys = new AttachedKeys();
  const viewer = randomBytes(9).toString("hex");
  const line = new TerminalLine({
    open: cli.link.socket,
    wish: { terminal, viewer, name: nameOf(), readOnly, size: person.size, scrollback },
    onShow: (bytes, screen) => (screen === undefined ? person.show(bytes) : person.showScreen(bytes)),
    onNews: (news) => tell(person, terminal, viewer, news),
    onConnection: (isConnected) => {
      if (!isConnected) person.setTitle(`${terminal}: the connection broke; trying again (${keysHint})`);
    },
  });
  const obey = (key: AttachedKey): void => {
    if (key === "detach") line.leave();
    else if (key === "give") line.say({ keyboard: "free" });
    else line.say({ keyboard: key });
  };
  cli.interrupt.signal.addEventListener("abort", () => line.leave());
  person.take(
    (bytes) => {
      for (const part of keys.take(bytes)) {
        if (typeof part === "string") obey(part);
        else if (!readOnly) line.type(part);
      }
    },
    () => line.resize(person.size.cols, person.size.rows),
  );
  try {
    return await line.done;
  } finally {
    person.giveBack();
  }
}

/** What others do is told in the title: the screen belongs to the program. */
function tell(person: PersonTerminal, terminal: string, viewer: string, news: TerminalNews): void {
  if ("said" in news) {
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
  const how = { ended: "has ended", stopped: "was ended", lost: "was lost", "out-of-memory": "ran out of memory" }[
    end.why
  ];
  cli.out.note(`${terminal} ${how}. See it again: signalbox recording play ${terminal}`);
  return typeof end.exit === "number" ? end.exit : 1;
}

function nameOf(): string {
  return `${userInfo().username}@${hostname()}`.replaceAll(/[^\w.@-]/g, "").slice(0, 60) || "somebody";
}
