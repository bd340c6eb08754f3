// What every assistant has to do in a run, whatever its program: tried with the real program in a real cage, and a scripted
// model behind the relay.

import { readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listProcesses } from "../../src/node/supervisor/process-identity.ts";
import type { AssistantRig } from "../support/assistant-rig.ts";
import { ToolServer } from "../support/tool-server.ts";
import type { ModelServer } from "../support/model-server/model-server.ts";

export type Tried = {
  readonly runner: string;
  readonly program: string;
  /** The tool by which it asks people in the middle of its work. */
  readonly asks: string;
  /** Whether it hears people in the middle of a turn. */
  readonly steers: boolean;
  /** Whether it always finds its conversation again; otherwise it may have to begin anew. */
  readonly keeps: boolean;
};

/** The conversations of one runner; the marker is in what its runs want. */
export function contractScenario({ runner, asks }: Tried): string {
  return `
  - name: ${runner} work
    match: { marker: "(${runner} work)" }
    turns:
      - { say: I begin., call: { tool: claim, with: { units: ["file:${runner}.txt"] } } }
      - { call: { tool: ${asks}, with: { question: "Which word?" } }, expect: { toolResult: yours } }
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
  - name: ${runner} steered
    match: { marker: "(${runner} steered)" }
    turns:
      - { say: I begin., call: { tool: list_files, with: {} }, hold: ${runner} steer }
      - { say: I go on., call: { tool: list_files, with: {} } }
      - { say: I am done. }
      - { say: I heard it. }
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
    test("[PF16, PF17] edit under a lease, ask, use a person's servers of tools, and land; they see no key", async () => {
      const tools = await ToolServer.start();
      await rig().client.call("secret.set", { name: "TOOL_TOKEN", value: tools.secret });
      const { project } = rig();
      await rig().client.call("project.change", { project, egress: { kind: "list", allow: [tools.host] } });
      await rig().client.call("profile.set", { name: "served", settings: { mcpServers: tools.servers } });
      await ofEach(async ({ runner }) => {
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
        const end = { is: "turn", ok: true, why: "ended", text: "The word is moin." };
        expect(heard.at(-1)).toMatchObject(end);
        expect((await rig().client.call("run.get", { run })).run.spend.requests).toBeGreaterThan(3);
        const { hosts } = await rig().client.call("run.egress", { run });
        expect(hosts).toContainEqual(expect.objectContaining({ host: "127.0.0.1", refusals: 0 }));
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
        const pids = programsIn(namespaceIn(model, runner), program);
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

    test("hear people in the middle of a turn or after it, and end once", async () => {
      const { model } = rig();
      await ofEach(async ({ runner, steers }) => {
        const run = await submit(runner, "steered");
        await model.until(() => model.begun.includes(`${runner} steered 0`));
        await rig().client.call("run.steer", { run, message: `Mind the gap, ${runner}.` });
        model.release(`${runner} steer`);
        await rig().inState(run, "done");
        const turns = (await rig().heard(run)).filter(({ is }) => is === "turn");
        expect(turns).toHaveLength(steers ? 1 : 2);
        expect(model.wasSent(`Mind the gap, ${runner}.`)).toBe(true);
      });
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

/** The namespace that a runner's command said it is in. */
function namespaceIn(model: ModelServer, runner: string): string {
  const asked = model.received.filter(({ body }) => body.includes(`(${runner} long)`));
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
