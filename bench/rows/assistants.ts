// What it costs to let a real assistant work here: a whole run and each of its tool calls, beside the same program alone.

import type { Contender, Row, Work } from "../harness/contender.ts";
import { ownCpuMs } from "../harness/cpu.ts";
import type { AssistantGround } from "../peers/assistant-ground.ts";
import {
  callsInRow,
  callsMarker,
  filesOf,
  type Hands,
  type Kind,
  kinds,
  taskMarker,
  taskNames,
  type TreeHands,
} from "../peers/assistant-scenario.ts";
import type { RowMaker } from "./row-maker.ts";

const alone = "Claude alone";
const native = "its own tools in a run";
const titles: Readonly<Record<Kind, string>> = { read: "reads", write: "writes", command: "commands" };

export const assistantRows: readonly RowMaker[] = [
  {
    name: "assistant-task",
    programs: [],
    assistant: "claude",
    make: async (peers) => taskRow(await peers.assistants()),
  },
  ...kinds.map((kind): RowMaker => ({
    name: `assistant-${kind}`,
    programs: [],
    assistant: "claude",
    make: async (peers) => callRow(await peers.assistants(), kind),
  })),
  {
    name: "assistant-question",
    programs: [],
    assistant: "claude",
    make: async (peers) => questionRow(await peers.assistants()),
  },
  {
    name: "assistant-stop",
    programs: [],
    assistant: "claude",
    make: async (peers) => stopRow(await peers.assistants()),
  },
];

/** From the submission until it is on the person's branch; alone, from the start of the program to its end. */
function taskRow(ground: AssistantGround): Row {
  const contender = (name: string, hands: Hands): Contender => {
    let turn = 0;
    const work = async (): Promise<Work> => {
      const [from = "", to = ""] = turn++ % 2 === 0 ? taskNames : taskNames.toReversed();
      const { ok, ms, memoryBytes, calls } = await ground.work(hands, taskMarker(hands, from), "lands");
      const isDone = ok && ground.has(hands, filesOf(hands, to));
      return { ops: 1, errors: isDone ? 0 : 1, latenciesUs: [1000 * ms], memoryBytes, calls };
    };
    return { name, cpuMs: hands === "alone" ? ownCpuMs : ground.cpuMs, work };
  };
  return {
    name: "assistant-task",
    title: "a change of three files by Claude, found, read, made and tried, until it is on the branch",
    ops: "runs",
    ours: contender("signalbox", "door"),
    others: [contender(native, "native"), contender(alone, "alone")],
    comparisons: [native, alone].flatMap((against) =>
      (["p50", "memory", "calls"] as const).map((measure) => ({ against, measure })),
    ),
    leftOut: [],
    close: () => undefined,
  };
}

/** From the model's answer that asks until the inbox has it; beside that, a turn of the program alone in which it reads a file. */
function questionRow(ground: AssistantGround): Row {
  const toWork = (ok: boolean, delaysMs: readonly number[]): Work => {
    const countedMs = delaysMs.reduce((sum, each) => sum + each, 0);
    return { ops: delaysMs.length, errors: ok ? 0 : 1, latenciesUs: delaysMs.map((ms) => 1000 * ms), countedMs };
  };
  const ask = async (): Promise<Work> => {
    const { ok, delaysMs } = await ground.questions();
    return toWork(ok, delaysMs);
  };
  const read = async (): Promise<Work> => {
    const { ok, turnsMs } = await ground.work("alone", callsMarker("alone", "read"), "thrown away");
    return toWork(ok, turnsMs.slice(0, callsInRow));
  };
  return {
    name: "assistant-question",
    title: "questions by Claude, from its model's answer until they are in the inbox",
    ops: "questions",
    ours: { name: "signalbox", cpuMs: ground.cpuMs, work: ask },
    others: [{ name: alone, cpuMs: ownCpuMs, work: read }],
    comparisons: [{ against: alone, measure: "p50" }],
    leftOut: [],
    close: () => undefined,
  };
}

/** From the word until no process is left; all of them killed at once by a person, where they are alone. */
function stopRow(ground: AssistantGround): Row {
  const contender = (name: string, hands: TreeHands): Contender => {
    const work = async (): Promise<Work> => {
      const { ok, ms } = await ground.stopTree(hands);
      return { ops: 1, errors: ok ? 0 : 1, latenciesUs: [1000 * ms], countedMs: ms };
    };
    return { name, cpuMs: hands === "alone" ? ownCpuMs : ground.cpuMs, work };
  };
  const killed = "kill of each process";
  return {
    name: "assistant-stop",
    title: "stops of a Claude with a subagent and a second Claude that both run a command",
    ops: "stops",
    ours: contender("signalbox", "door"),
    others: [contender(killed, "alone")],
    comparisons: [{ against: killed, measure: "p50" }],
    leftOut: [],
    close: () => undefined,
  };
}

/** From one request to the model to the next, with one tool call in between. */
function callRow(ground: AssistantGround, kind: Kind): Row {
  const contender = (name: string, hands: Hands): Contender => {
    const work = async (): Promise<Work> => {
      const { ok, turnsMs } = await ground.work(hands, callsMarker(hands, kind), "thrown away");
      const counted = turnsMs.slice(0, callsInRow);
      const isWhole = counted.length === callsInRow;
      const countedMs = counted.reduce((sum, each) => sum + each, 0);
      return { ops: callsInRow, errors: ok && isWhole ? 0 : 1, latenciesUs: counted.map((ms) => 1000 * ms), countedMs };
    };
    return { name, cpuMs: hands === "alone" ? ownCpuMs : ground.cpuMs, work };
  };
  return {
    name: `assistant-${kind}`,
    title: `${callsInRow} ${titles[kind]} by Claude, one in each turn: from request to request`,
    ops: "calls",
    ours: contender("signalbox", "door"),
    others: [contender(native, "native"), contender(alone, "alone")],
    comparisons: [native, alone].map((against) => ({ against, measure: "p50" })),
    leftOut: [],
    close: () => undefined,
  };
}
