// Recordings of terminals: what was said in them, and when.

import { writeFileSync } from "node:fs";
import { usualPolicy, ViewerFilter } from "../../base/viewer-filter.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { forEach } from "../for-each.ts";
import { flag, jsonFlag, textFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty, parseRunId } from "../parse-args.ts";
import { type CastEvent, toCast, toCastEvents } from "../terminal/asciicast.ts";
import { PersonTerminal } from "../terminal/person-terminal.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";
import { UsageError } from "../usage-error.ts";
import { placeOf, programOf, stateOf } from "../view/terminal-rows.ts";

type Page = OutputOf<"terminal.recording">;

const runFlag = {
  kind: "parsed",
  parse: parseRunId,
  optional: true,
  placeholder: "RUN",
  brief: "Only of this run.",
} as const;
const agentFlag = {
  kind: "parsed",
  parse: parseNonEmpty,
  optional: true,
  placeholder: "AGENT",
  brief: "Only of this agent and the runs in it, by id or name.",
} as const;
const oneTerminal = {
  kind: "tuple",
  parameters: [{ parse: parseNonEmpty, placeholder: "TERMINAL", brief: "The terminal." }],
} as const;

type OfFlags = { readonly run?: string; readonly agent?: string };

export const recordingList = defineCommand<CommonFlags & OfFlags & { readonly removed: boolean }>({
  usage: "[--agent AGENT] [--run RUN] [--removed]",
  about: `Every terminal is recorded from its first byte. Its recording outlives its run and its agent, and is found by their id or
name. It goes when it is older, or they are larger, than policies keep, and when you remove it.`,
  examples: [
    ["recording list", "What there is."],
    ["recording list --agent shop-1", "What was seen in an agent, also when it is removed."],
  ],
  parameters: {
    flags: {
      agent: agentFlag,
      run: runFlag,
      removed: flag("Only of agents and runs that were removed."),
      json: jsonFlag,
    },
  },
  async run(cli, { run, agent, removed, json }) {
    const answer = await cli.link.call("terminal.list", { all: true, removed, ...toOf({ run, agent }) });
    if (json) return cli.out.json(answer);
    if (answer.terminals.length === 0) return cli.out.note("There is no recording. signalbox attach AGENT makes one.");
    const now = await askNow(cli, answer.nowMs);
    cli.out.table(
      [
        { title: "TERMINAL" },
        { title: "IN" },
        { title: "WINDOW" },
        { title: "PROGRAM", cut: "end" },
        { title: "AGE", align: "right" },
        { title: "SIZE", align: "right" },
        { title: "STATE" },
      ],
      answer.terminals.map((terminal) => [
        terminal.id,
        placeOf(terminal),
        toSafeLine(terminal.window),
        toSafeLine(programOf(terminal)),
        showDuration(now.since(terminal.openedAtMs)),
        terminal.ended === null ? "" : toSize(terminal.ended.bytes),
        stateOf(terminal),
      ]),
    );
  },
});

type PlayFlags = CommonFlags & { readonly speed?: string; readonly idle?: string; readonly at?: string };

export const recordingPlay = defineCommand<PlayFlags, [string]>({
  usage: "[--speed N] [--idle SECONDS] [--at SECONDS] TERMINAL",
  about: "Pauses are cut to two seconds unless --idle says otherwise. Ctrl-c ends it.",
  examples: [
    ["recording play te_2b", "See it as it was."],
    ["recording play --speed 4 --at 60 te_2b", "Four times as fast, from the second minute on."],
  ],
  parameters: {
    flags: {
      speed: textFlag("N", "How many times as fast. Left out: 1."),
      idle: textFlag("SECONDS", "The longest pause. Left out: 2."),
      at: textFlag("SECONDS", "From where; what came before is shown at once."),
      json: jsonFlag,
    },
    positional: oneTerminal,
  },
  async run(cli, { speed, idle, at, json }, terminal) {
    const [factor, longest, from] = [
      toNumber("--speed", speed, 1),
      toNumber("--idle", idle, 2),
      toNumber("--at", at, 0),
    ];
    if (json) return exportTo(cli, terminal, (line) => cli.out.raw(line));
    // One that is not there leaves the person's screen as it is.
    const events = eventsOf(cli, terminal);
    const first = await events.next();
    const person = new PersonTerminal();
    // A recording has every byte that a program said. The terminal that it is played on is a viewer's, like any other.
    const filter = new ViewerFilter(usualPolicy);
    const { signal } = cli.interrupt;
    cli.interrupt.sayOnLeaving("Left.");
    let last = from;
    person.showScreen(new Uint8Array(0));
    try {
      for (let next = first; next.done !== true && !signal.aborted; next = await events.next()) {
        const [seconds, kind, data] = next.value;
        if (kind !== "o") continue;
        if (seconds > last) await pause((Math.min(seconds - last, longest) * 1000) / factor, signal);
        last = Math.max(last, seconds);
        person.show(filter.pass(Buffer.from(data)));
      }
    } finally {
      person.end();
    }
  },
});

export const recordingExport = defineCommand<
  CommonFlags & { readonly output?: string; readonly text: boolean },
  [string]
>({
  usage: "[-o FILE] [--text] TERMINAL",
  about: `As asciicast v2, which asciinema and others play. What is no text in it becomes a replacement character: the daemon's own
recording is exact. Values that signalbox secret keeps are blotted out.`,
  examples: [
    ["recording export te_2b -o session.cast", "For asciinema play."],
    ["recording export --text te_2b", "Only what was printed, without colours."],
  ],
  parameters: {
    flags: {
      output: textFlag("FILE", "Where to. Left out: standard output."),
      text: flag("Plain text in place of asciicast."),
      json: jsonFlag,
    },
    aliases: { o: "output" },
    positional: oneTerminal,
  },
  async run(cli, { output, text, json }, terminal) {
    const parts: string[] = [];
    const write = output === undefined ? (part: string) => cli.out.raw(part) : (part: string) => void parts.push(part);
    if (text && !json) await exportText(cli, terminal, write);
    else await exportTo(cli, terminal, write);
    if (output === undefined) return;
    writeFileSync(output, parts.join(""));
    cli.out.note(`${terminal} is in ${output}.`);
  },
});

export const recordingSearch = defineCommand<CommonFlags & OfFlags, [string]>({
  usage: "[--agent AGENT] [--run RUN] TEXT",
  about: "Lines in which the text was printed in one go, in capitals or not, the newest terminal first.",
  examples: [["recording search 'connection refused'", "Who has seen this?"]],
  parameters: {
    flags: { agent: agentFlag, run: runFlag, json: jsonFlag },
    positional: { kind: "tuple", parameters: [{ parse: parseNonEmpty, placeholder: "TEXT", brief: "What to find." }] },
  },
  async run(cli, { run, agent, json }, text) {
    const answer = await cli.link.call("terminal.search", { text, ...toOf({ run, agent }) });
    if (json) return cli.out.json(answer);
    if (answer.matches.length === 0) return cli.out.note("No recording has this.");
    cli.out.table(
      [{ title: "TERMINAL" }, { title: "IN" }, { title: "AT", align: "right" }, { title: "LINE", cut: "end" }],
      answer.matches.map((match) => [match.terminal, placeOf(match), showDuration(match.atMs), toSafeLine(match.line)]),
    );
    if (answer.more) cli.out.note("There is more: name a run, or a longer text.");
  },
});

export const recordingRemove = defineCommand<CommonFlags & OfFlags, string[]>({
  usage: "TERMINAL… | --agent AGENT | --run RUN",
  about: `For good: nothing brings it back. A terminal that is open has to be ended first. Where agents that were removed had the same
name, say which by its id. The log still says that there was one, who opened it and who removed it.`,
  examples: [
    ["recording remove te_2b", "One of them."],
    ["recording remove --agent shop-1", "All of an agent and of the runs in it, also when it is removed."],
  ],
  parameters: {
    flags: { agent: agentFlag, run: runFlag, json: jsonFlag },
    positional: {
      kind: "array",
      parameter: { parse: parseNonEmpty, placeholder: "TERMINAL", brief: "Terminals that have ended." },
    },
  },
  async run(cli, { run, agent, json }, ...named) {
    const isAll = run !== undefined || agent !== undefined;
    if (isAll === named.length > 0) throw new UsageError("Say which: terminals, or --agent, or --run.");
    const ids = isAll ? endedOf(cli, { run, agent }) : named;
    const remove = async (terminal: string): Promise<string> => {
      await cli.link.call("terminal.forget", { terminal });
      return `The recording of ${terminal} is removed.`;
    };
    return forEach(cli, ids, json, remove, "terminals");
  },
});

/** All of them, as one answer holds and then the next, which has what was beyond it once these are removed. */
async function* endedOf(cli: Cli, of: OfWish): AsyncGenerator<string> {
  const known = new Set<string>();
  for (let wish = of; ;) {
    const terminals = await listed(cli, wish).catch((error: unknown) => {
      // Of an agent that was removed nothing is known once its last recording is.
      if (known.size > 0 && error instanceof ProtocolError && error.code === "not-found") return [];
      throw error;
    });
    if (of.agent !== undefined) wish = { ...of, agent: onlyAgentOf(terminals, of.agent) };
    const fresh = terminals.filter((each) => isOver(each) && !known.has(each.id));
    for (const { id } of fresh) {
      known.add(id);
      yield id;
    }
    if (fresh.length === 0) break;
  }
  if (known.size === 0) cli.out.note("There is no recording of a terminal that has ended.");
}

async function listed(cli: Cli, of: OfWish): Promise<Terminals> {
  const wish = { all: true, limit: limits.pageMax, ...toOf(of) };
  return (await cli.link.call("terminal.list", wish)).terminals;
}

/** An agent that was removed may have had the name that another one has. Nothing brings back what is removed of the wrong one. */
function onlyAgentOf(terminals: Terminals, ref: string): string {
  const ids = [...new Set(terminals.flatMap(({ agent }) => agent ?? []))];
  if (ids.length > 1)
    throw new UsageError(`"${ref}" is the name of several agents. Say which by its id: ${ids.join(", ")}.`);
  return ids[0] ?? ref;
}

/** One that is coming back has not ended to those who wait for it. */
function isOver({ ended, heir }: Terminals[number]): boolean {
  return ended !== null && (ended.why !== "renewed" || heir !== null);
}

type Terminals = OutputOf<"terminal.list">["terminals"];
type OfWish = { readonly run: string | undefined; readonly agent: string | undefined };

function toOf({ run, agent }: OfWish): OfFlags {
  return { ...(run === undefined ? {} : { run }), ...(agent === undefined ? {} : { agent }) };
}

async function* pagesOf(cli: Cli, terminal: string): AsyncGenerator<Page> {
  for (let from: number | null = 0; from !== null;) {
    const page: Page = await cli.link.call("terminal.recording", { terminal, from });
    yield page;
    from = page.next;
  }
}

async function* eventsOf(cli: Cli, terminal: string): AsyncGenerator<CastEvent> {
  const decoder = new TextDecoder();
  for await (const { events } of pagesOf(cli, terminal)) yield* toCastEvents(events, decoder);
}

async function exportTo(cli: Cli, terminal: string, write: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let isFirst = true;
  for await (const { head, events } of pagesOf(cli, terminal)) {
    if (isFirst) write(toCast(head));
    isFirst = false;
    for (const event of toCastEvents(events, decoder)) write(`${JSON.stringify(event)}\n`);
  }
}

async function exportText(cli: Cli, terminal: string, write: (text: string) => void): Promise<void> {
  const { SequenceReader } = await import("../../base/escape-sequences.ts");
  const reader = new SequenceReader();
  const decoder = new TextDecoder();
  for await (const { events } of pagesOf(cli, terminal)) {
    for (const event of events) {
      if (!("base64" in event)) continue;
      const texts = reader.read(Buffer.from(event.base64, "base64")).filter(({ kind }) => kind === "text");
      write(
        texts
          .map(({ bytes }) => decoder.decode(bytes, { stream: true }))
          .join("")
          .replaceAll("\r\n", "\n"),
      );
    }
  }
}

function toNumber(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0 && (name !== "--speed" || value > 0)) return value;
  throw new UsageError(`${name} "${text}" is not a number that makes sense here.`);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
