// What every assistant has to do in a run, whatever its program: tried with the real program in a real cage, and a scripted
// model behind the relay.

import { readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listProcesses } from "../../src/node/supervisor/process-identity.ts";
import type { Saying } from "../../src/protocol/stream.ts";
import type { AssistantRig } from "../support/assistant-rig.ts";
import { shellsWith, standsStill } from "../support/halted.ts";
import { ToolServer } from "../support/tool-server.ts";
import type { ModelServer } from "../support/model-server/model-server.ts";

export type Tried = {
  readonly runner: string;
  readonly program: string;
  /** Tools of its own for files and commands, which it is not offered, and how a model would use them. */
  readonly own: readonly { readonly tool: string; readonly with: Readonly<Record<string, unknown>> }[];
  /** By what it hears people in the middle of a turn: its own program, or an answer of the door. */
  readonly hearsBy: "program" | "door";
  /** Whether it says what it has cost. */
  readonly reckons: boolean;
  /** Whether it always finds its conversation again; otherwise it may have to begin anew. */
  readonly keeps: boolean;
  /** False where what it says is known only when it is whole; it says so of itself then. */
  readonly streams?: false;
};

/** What a call of a tool of its own would make. */
export function madeOf(runner: string): string {
  return `by-own-hands-of-${runner}`;
}

/** By which the command is known that a runner's run is paused in: it ends when it is told to. */
const heldBy = (runner: string): string => `held-for-${runner}-${process.pid}`;

const slowly =
  "One word comes after the other, and whoever wants to may read along while it is being said, for it takes its time.";

/** The conversations of one runner; the marker is in what its runs want. */
export function contractScenario({ runner, own, hearsBy }: Tried): string {
  const heard = hearsBy === "door" ? `expect: { toolResult: "Mind the gap, ${runner}." }, ` : "";
  return `
  - name: ${runner} forged
    match: { marker: "(${runner} forged)" }
    turns:
${own.map((call) => `      - { call: ${JSON.stringify(call)} }`).join("\n")}
      - { call: { tool: run_command, with: { command: "echo made: $(find . ~ /tmp -name '${madeOf(runner)}*' 2>/dev/null | wc -l)" } } }
      - { expect: { toolResult: "made: 0" }, say: There is nothing. }
  - name: ${runner} work
    match: { marker: "(${runner} work)" }
    turns:
      - { say: I begin., call: { tool: claim, with: { units: ["file:${runner}.txt"] } } }
      - { call: { tool: ask_user, with: { question: "Which word?" } }, expect: { toolResult: yours } }
      - { expect: { toolResult: moin }, call: { tool: write_file, with: { path: ${runner}.txt, content: "moin\\n" } } }
      - { expect: { toolResult: wrote }, call: { tool: look_up, with: { word: ${runner} } } }
      - { expect: { toolResult: "${runner} at a distance" }, call: { tool: count_letters, with: { word: ${runner} } } }
      - expect: { toolResult: "${runner.length} letters" }
        call: { tool: run_command, with: { command: "env; cat /proc/[0-9]*/environ | tr '\\\\0' '\\\\n'; find ~ -type f | xargs cat; echo looked" } }
      - { expect: { toolResult: looked }, say: The word is moin. }
  - name: ${runner} long
    match: { marker: "(${runner} long)" }
    turns:
      - { call: { tool: run_command, with: { command: "readlink /proc/self/ns/pid" } } }
      - { expect: { toolResult: "pid:[" }, say: I think about it., hold: ${runner} think }
      - { say: I am back., hold: ${runner} stopped, again: true }
  - name: ${runner} paused
    match: { marker: "(${runner} paused)" }
    turns:
      - { call: { tool: run_command, with: { command: "readlink /proc/self/ns/pid" } } }
      # One that leaves its turn with a broken connection may forget what it did in it.
      - hold: ${runner} paused
        again: true
        call: { tool: run_command, with: { command: "echo ran >> ${runner}-ran.txt; trap 'cat ${runner}-ran.txt; exit' USR1; while :; do sleep 0.05; done # ${heldBy(runner)}" } }
      - { expect: { toolResult: ran }, call: { tool: write_file, with: { path: ${runner}-paused.txt, content: "once\\n" } } }
      - { expect: { toolResult: wrote }, say: It has run. }
  - name: ${runner} slow
    match: { marker: "(${runner} slow)" }
    turns: [ { say: "${slowly}", hold: ${runner} slow, midway: true } ]
  - name: ${runner} steered
    match: { marker: "(${runner} steered)" }
    turns:
      - { say: I begin., call: { tool: list_files, with: {} }, hold: ${runner} steer }
      - { ${heard}say: I go on., call: { tool: list_files, with: {} } }
      - { say: I am done. }
      - { say: I heard it. }
  - name: ${runner} finishing
    match: { marker: "(${runner} finishing)" }
    turns:
      - { call: { tool: write_file, with: { path: ${runner}-1.txt, content: "1\\n" } } }
      - { call: { tool: finish, with: { message: One is enough. } }, hold: ${runner} finish }
      - expect: { toolResult: "One more, ${runner}." }
        call: { tool: write_file, with: { path: ${runner}-2.txt, content: "2\\n" } }
      - { expect: { toolResult: wrote }, call: { tool: finish, with: { message: Two. } } }
      - { say: I am done. }
  - name: ${runner} busy
    match: { marker: "(${runner} busy)" }
    repeat: true
    turns: [ { call: { tool: list_files, with: {} } } ]
  - name: ${runner} bad
    match: { marker: "(${runner} bad)" }
    repeat: true
    turns: [ { error: { status: 400, type: invalid_request_error, message: no such thing } } ]
`;
}

/** All of them at once: they share a machine, a daemon and a project, and have to be told apart anyway. */
export function describeAssistants(tried: readonly Tried[], rig: () => AssistantRig): void {
  const submit = (runner: string, what: string, profile?: string): Promise<string> =>
    rig().submit(runner, `${runner} does ${what}`, `(${runner} ${what})`, profile);
  const ofEach = <T>(todo: (each: Tried) => Promise<T>): Promise<T[]> => Promise.all(tried.map(todo));

  /** Answers its question; says what it held meanwhile. */
  const answer = async (run: string): Promise<readonly string[]> => {
    await rig().inState(run, "awaiting-input");
    const { holds } = (await rig().client.call("run.get", { run })).run;
    await rig().client.call("run.answer", { run, text: "moin" });
    return holds;
  };

  describe(`the runners ${tried.map(({ runner }) => runner).join(", ")}`, () => {
    test("[PF16, PF17, RN46] edit under a lease, ask, use a person's servers of tools, and land; they see no key", async () => {
      const tools = await ToolServer.start();
      await rig().client.call("secret.set", { name: "TOOL_TOKEN", value: tools.secret });
      const { project } = rig();
      await rig().client.call("project.change", { project, egress: { kind: "list", allow: [tools.host] } });
      await rig().client.call("profile.set", { name: "served", settings: { mcpServers: tools.servers } });
      await ofEach(async ({ runner, reckons }) => {
        const run = await submit(runner, "work", "served");
        expect(await answer(run)).toEqual([`file:${runner}.txt`]);
        await rig().inState(run, "done");
        const { lines } = await rig().client.call("project.blame", { project: rig().project, path: `${runner}.txt` });
        expect(lines).toMatchObject([{ text: "moin", run }]);
        const heard = await rig().heard(run);
        expect(heard.slice(0, 3)).toMatchObject([
          { is: "session" },
          { is: "message", text: "I begin." },
          { is: "tool" },
        ]);
        // What the door did has no other record than the door's.
        expect(heard.filter(({ is }) => is === "result")).toMatchObject([
          { tool: expect.stringMatching(/notes_+look_up$/) as string, ok: true },
          { tool: expect.stringMatching(/letters_+count_letters$/) as string, ok: true },
        ]);
        for (const said of [`${runner} at a distance`, `${runner.length} letters`])
          expect(JSON.stringify(heard.filter(({ is }) => is === "result"))).toContain(said);
        const end = { is: "turn", ok: true, why: "ended", text: "The word is moin." };
        expect(heard.at(-1)).toMatchObject(end);
        const { spend, ownCostMicros } = (await rig().client.call("run.get", { run })).run;
        expect(spend.requests).toBeGreaterThan(3);
        expect({ runner, reckons: (ownCostMicros ?? 0) > 0 }).toEqual({ runner, reckons });
        // Nobody else is even tried: no updates, no registry, no catalogue, no measuring.
        const { hosts } = await rig().client.call("run.egress", { run });
        const reached = hosts.map(({ host, port, refusals }) => ({ runner, host: `${host}:${port}`, refusals }));
        expect(reached).toEqual([{ runner, host: tools.host, refusals: 0 }]);
      });
      expect(tools.letIn).toBe(true);
      await tools.close();
      const seen = rig()
        .model.received.map(({ body }) => body)
        .join("\n");
      const log = await readFile(join(rig().daemon.home, "log.db"), "latin1");
      for (const key of [rig().key, tools.secret])
        expect([seen.includes(key), log.includes(key)]).toEqual([false, false]);
    });

    test("[RN47] are heard while they speak, before they have said it to its end", async () => {
      const { runners } = await rig().client.call("runner.list", {});
      await ofEach(async ({ runner, streams = true }) => {
        expect(runners.find(({ name }) => name === runner)?.can.streaming).toBe(streams);
        if (!streams) return;
        const run = await submit(runner, "slow");
        const stop = new AbortController();
        const seen: Saying[] = [];
        const onSaying = (saying: Saying): void => void (saying.run === run && seen.push(saying));
        const part = Promise.withResolvers<void>();
        const over = (async () => {
          const batches = rig().client.batches({
            ...{ run, signal: stop.signal },
            onSaying: (saying) => {
              onSaying(saying);
              if (saying.words.some(({ text }) => text.includes("One word comes"))) part.resolve();
            },
          });
          for await (const batch of batches) void batch;
        })();
        await part.promise;
        expect((await rig().heard(run)).filter(({ is }) => is === "message")).toEqual([]);
        const [word] = seen.at(-1)?.words ?? [];
        expect(word).toMatchObject({ of: "message", from: 0, parent: null });
        expect(slowly.startsWith(word?.text ?? "?")).toBe(true);
        rig().model.release(`${runner} slow`);
        await rig().inState(run, "done");
        expect(await rig().heard(run)).toContainEqual({ is: "message", text: slowly, parent: null });
        await expect.poll(() => seen.at(-1)?.words).toEqual([]);
        stop.abort();
        await over;
      });
    });

    test("do nothing where their models ask for tools that they were not offered", async () => {
      await ofEach(async ({ runner, own }) => {
        const run = await submit(runner, "forged");
        await rig().inState(run, "done");
        expect(rig().model.begun.filter((turn) => turn.startsWith(`${runner} forged`))).toHaveLength(own.length + 2);
        const { events } = await rig().client.call("run.log", { run, limit: 1000 });
        const calls = events.filter(({ type }) => type === "call.finished").map((event) => event["tool"]);
        expect(calls.filter((tool) => tool !== "sweep")).toEqual(["run"]);
        expect((await rig().client.call("run.get", { run })).run.because).toBe("it changed nothing");
      });
      expect(rig().model.problems).toEqual([]);
      // Somebody who worked for one of them would be told this, and nothing of the rest.
      const bodies = rig().model.received.map(({ body }) => body);
      expect(bodies.filter((body) => body.includes("(nobody)") && !body.includes(" forged)"))).toEqual([]);
    });

    test("leave what they do for a person, outlive the daemon, and are taken up after their programs were killed", async () => {
      const { model } = rig();
      const begun = (runner: string): number => model.begun.filter((turn) => turn === `${runner} long 2`).length;
      const more = (runner: string, than: number): Promise<void> => model.until(() => begun(runner) > than);
      const runs = await ofEach(async (each) => {
        const run = await submit(each.runner, "long");
        await model.until(() => model.begun.includes(`${each.runner} long 1`));
        await rig().client.call("run.steer", { run, message: `Leave it, ${each.runner}.`, interrupt: true });
        await more(each.runner, 0);
        expect(model.wasSent(`Leave it, ${each.runner}.`)).toBe(true);
        return { ...each, run };
      });
      await rig().restart();
      const end = async ({ runner, run, program, keeps }: (typeof runs)[number]): Promise<void> => {
        await more(runner, 1);
        const pids = programsIn(namespaceIn(model, `${runner} long`), program);
        expect(pids.length).toBeGreaterThan(0);
        const before = begun(runner);
        for (const pid of pids) endIfThere(pid);
        await more(runner, before);
        model.release(`${runner} stopped`);
        await rig().inState(run, "done");
        const heard = await rig().heard(run);
        const sessions = heard.flatMap((item) => (item.is === "session" ? [item.session] : []));
        expect(sessions.length).toBeGreaterThan(1);
        expect(new Set(sessions).size).toBeLessThanOrEqual(keeps ? 1 : 3);
        expect(heard).toContainEqual(expect.objectContaining({ is: "turn", why: "interrupted" }));
        expect(heard.at(-1)).toMatchObject({ is: "turn", ok: true, text: "I am back." });
      };
      await Promise.all(runs.map(end));
    });

    test("[RN8, RN9] stand still while their runs are paused, whatever becomes of the daemon, and do each thing once", async () => {
      const { model } = rig();
      const runs = await ofEach(async ({ runner, program }) => {
        const run = await submit(runner, "paused");
        await model.until(() => model.begun.includes(`${runner} paused 1`));
        const programs = programsIn(namespaceIn(model, `${runner} paused`), program);
        expect({ runner, found: programs.length > 0 }).toEqual({ runner, found: true });
        return { runner, run, programs };
      });
      const moving = (): readonly string[] =>
        runs.flatMap(({ runner, programs }) =>
          [...programs, ...shellsWith(heldBy(runner))].every(standsStill) ? [] : [runner],
        );
      const asked = (): number =>
        model.received.filter(({ body }) => runs.some(({ runner }) => body.includes(`(${runner} paused)`))).length;
      const outlivePause = async (): Promise<void> => {
        await Promise.all(runs.map(({ run }) => rig().client.call("run.pause", { run })));
        await expect.poll(moving, { timeout: 60_000 }).toEqual([]);
        const before = asked();
        await rig().restart();
        const shown = await Promise.all(runs.map(({ run }) => rig().client.call("run.get", { run })));
        expect(shown.map(({ run }) => run.state)).toEqual(runs.map(() => "paused"));
        expect([moving(), asked()]).toEqual([[], before]);
        await Promise.all(runs.map(({ run }) => rig().client.call("run.resume", { run })));
      };
      // While their models answer, and while a command of theirs is under way.
      await outlivePause();
      for (const { runner } of runs) model.release(`${runner} paused`);
      const working = (): readonly number[] => runs.map(({ runner }) => shellsWith(heldBy(runner)).length);
      await expect.poll(working, { timeout: 60_000 }).toEqual(runs.map(() => 1));
      await outlivePause();
      await expect.poll(moving, { timeout: 60_000 }).toEqual(runs.map(({ runner }) => runner));
      for (const { runner } of runs) for (const pid of shellsWith(heldBy(runner))) process.kill(pid, "SIGUSR1");
      await Promise.all(runs.map(({ run }) => rig().inState(run, "done")));
      expect(model.problems).toEqual([]);
      for (const { runner, run } of runs) {
        const { events } = await rig().client.call("run.log", { run, limit: 1000 });
        expect({ runner, asked: askedWhilePaused(events) }).toEqual({ runner, asked: [] });
        const turns = [2, 3].map((at) => model.begun.filter((turn) => turn === `${runner} paused ${at}`).length);
        expect({ runner, turns }).toEqual({ runner, turns: [1, 1] });
        const { lines } = await rig().client.call("project.blame", {
          project: rig().project,
          path: `${runner}-ran.txt`,
        });
        expect(lines).toMatchObject([{ text: "ran", run }]);
        expect((await rig().heard(run)).at(-1)).toMatchObject({ is: "turn", ok: true, text: "It has run." });
      }
    });

    test("[RN27] hear people in the middle of a turn, and end once", async () => {
      const { model } = rig();
      await ofEach(async ({ runner }) => {
        const run = await submit(runner, "steered");
        await model.until(() => model.begun.includes(`${runner} steered 0`));
        await rig().client.call("run.steer", { run, message: `Mind the gap, ${runner}.` });
        model.release(`${runner} steer`);
        await rig().inState(run, "done");
        const turns = (await rig().heard(run)).filter(({ is }) => is === "turn");
        expect(turns).toHaveLength(1);
        expect(model.wasSent(`Mind the gap, ${runner}.`)).toBe(true);
      });
      expect(model.problems).toEqual([]);
    });

    test("[RN27] are not done before they have heard what people said", async () => {
      const { model } = rig();
      const hearing = tried.filter(({ hearsBy }) => hearsBy === "door");
      const hear = async ({ runner }: Tried): Promise<void> => {
        const run = await submit(runner, "finishing");
        await model.until(() => model.begun.includes(`${runner} finishing 1`));
        await rig().client.call("run.steer", { run, message: `One more, ${runner}.` });
        model.release(`${runner} finish`);
        await rig().inState(run, "done");
        const log = await rig().client.call("run.log", { run, limit: 1000 });
        expect(log.events.filter(({ type }) => type === "run.heard").at(-1)).toMatchObject({ told: 1 });
        const { lines } = await rig().client.call("project.blame", { project: rig().project, path: `${runner}-2.txt` });
        expect(lines).toMatchObject([{ text: "2", run }]);
      };
      await Promise.all(hearing.map(hear));
      expect(model.problems).toEqual([]);
    });

    test("[PF14] ask their models no oftener than their profile lets them", async () => {
      await rig().client.call("profile.set", { name: "short", settings: { maxTurns: 2 } });
      await ofEach(async ({ runner }) => {
        const run = await submit(runner, "busy", "short");
        await rig().inState(run, "failed");
        const { failure, because } = (await rig().client.call("run.get", { run })).run;
        expect([failure, because]).toEqual(["max-turns", expect.stringContaining("profile short lets it")]);
        expect(rig().model.begun.filter((turn) => turn.startsWith(`${runner} busy`))).toHaveLength(2);
      });
    });

    test("say why their models refuse", async () => {
      await ofEach(async ({ runner }) => {
        const run = await submit(runner, "bad");
        await rig().inState(run, "failed");
        expect((await rig().heard(run)).at(-1)).toMatchObject({ is: "turn", ok: false, why: "error" });
      });
    });
  });
}

/** What a run asked of its door and of its model, and was let, while it was paused. */
function askedWhilePaused(events: readonly { readonly type: string }[]): string[] {
  let isPaused = false;
  return events.flatMap((event) => {
    if (event.type === "run.moved") isPaused = "to" in event && event.to === "paused";
    return isPaused && ["call.queued", "call.started", "model.requested"].includes(event.type) ? [event.type] : [];
  });
}

/** The namespace that the command of a conversation said it is in. */
function namespaceIn(model: ModelServer, conversation: string): string {
  const asked = model.received.filter(({ body }) => body.includes(`(${conversation})`));
  return asked.map(({ body }) => /pid:\[\d+\]/.exec(body)?.[0]).findLast((each) => each !== undefined) ?? "";
}

/** The program's own processes, in the cage that the namespace is of. */
function programsIn(namespace: string, program: string): number[] {
  const isIt = ({ pid }: { readonly pid: number }): boolean => {
    try {
      if (readlinkSync(`/proc/${pid}/ns/pid`) !== namespace) return false;
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program);
    } catch {
      return false;
    }
  };
  return listProcesses()
    .filter(isIt)
    .map(({ pid }) => pid);
}

/** A program that has several processes ends the others when one of them goes. */
function endIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has gone with another one.
  }
}
