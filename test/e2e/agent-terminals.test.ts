// Terminals in the cages of living agents, over a real daemon that is killed under them, and agents that come and go.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Terminal } from "../../src/protocol/wire/terminal.ts";
import { readRecord } from "../../src/node/keepers/keeper-pool.ts";
import { builtProgram } from "../support/built-program.ts";
import { AgentRig, portOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { PersonRig } from "../support/person-rig.ts";
import { ViewerRig } from "../support/viewer-rig.ts";

const signalbox = `${process.execPath} ${builtProgram("cli")}`;

const stack = `
template: shop
env: { GREETING: hello }
services:
  web:
    command: 'echo up at $PORT; echo "said by web"; exec sleep 1000'
    ports: [http]
    stop: { grace: 1s }
`;

describe.skipIf(noCages)("terminals of living agents", () => {
  const rig = AgentRig.forAll({ "a.txt": "hello from the project\n", "unusual-name.txt": "found\n" });
  let agent: string;

  beforeAll(async () => {
    agent = (await rig.up(stack)).id;
  });

  const open = async (more: { window?: string; join?: boolean; argv?: string[] } = {}): Promise<string> =>
    (await rig.call("terminal.open", { agent, ...more })).terminal;
  const look = (terminal: string, more: Partial<ConstructorParameters<typeof ViewerRig>[1]> = {}): ViewerRig =>
    new ViewerRig(rig.daemon.home, { terminal, size: { cols: 80, rows: 24 }, ...more });
  const person = (words: string): PersonRig => new PersonRig(words, { SIGNALBOX_HOME: rig.daemon.home });
  const get = async (terminal: string): Promise<Terminal> => (await rig.call("terminal.get", { terminal })).terminal;
  const settled = async (): Promise<string | undefined> => (await rig.settled(agent))?.state;

  /** The process that holds its cage. */
  function keeperOf(id: string): number {
    const folder = join(rig.daemon.home, "node", "keepers");
    const records = readdirSync(folder).map((name) => readRecord(join(folder, name)));
    const own = records.find((record) => record?.agent === id);
    if (own === undefined) throw new Error("its keeper is not there");
    return own.pid;
  }

  test("[TM8] attach leads into the agent's cage, with the variables that its runs have, and survives kill -9", async () => {
    expect(await rig.settled(agent)).toMatchObject({ state: "running", name: "shop-1" });
    const one = person(`${signalbox} attach shop-1; echo code $?`);
    await one.sees(/\$ /);
    one.type('cat a.txt; echo "$GREETING $SIGNALBOX_WINDOW at $WEB_PORT"\r');
    const port = portOf(await rig.get(agent), "web");
    await one.sees("hello from the project");
    await one.sees(new RegExp(`^hello \\S+ at ${port}`, "m"));
    await rig.restartDaemon();
    one.type("echo still $((40+2))\r");
    await one.sees("still 42");
    one.type("exit 3\r");
    await one.sees("code 3");
    expect((await rig.call("terminal.list", { agent, all: true })).terminals).toMatchObject([
      { ended: { why: "ended", exit: 3 }, run: null },
    ]);
  });

  test("[TM21] what was typed is there in the next shell, also after a stop; completion works", async () => {
    const first = look(await open());
    await first.until(() => first.hasKeyboard);
    first.type("echo remember-$((1000+1))\r");
    await first.sees("remember-1001");
    first.type("cat unus\t\r");
    await first.sees(/^found/m);
    await rig.call("agent.stop", { agent });
    expect(await first.ended()).toMatchObject({ why: "stopped" });
    expect(await settled()).toBe("stopped");
    await expect(open()).rejects.toMatchObject({ code: "agent-down" });
    await rig.call("agent.start", { agent });
    expect(await settled()).toBe("running");
    const second = look(await open());
    await second.until(() => second.hasKeyboard);
    await second.sees(/\$ /);
    second.type("history | grep remember\r");
    await second.sees("echo remember-$((1000+1))");
    second.type("exit\r");
    await second.ended();
  });

  test("[AG89] people go before services, hear why, and a shell that does not go by itself holds nobody up", async () => {
    const first = look(await open({ window: "first" }));
    await first.until(() => first.hasKeyboard);
    const deaf = look(await open({ window: "deaf", argv: ["sh", "-c", "trap '' HUP TERM; echo deaf; sleep 1000"] }));
    await deaf.sees("deaf");
    await rig.call("agent.stop", { agent });
    const message = "its agent goes down: somebody stopped it";
    expect(await first.ended()).toMatchObject({ why: "stopped", message });
    expect(await deaf.ended()).toMatchObject({ why: "stopped", message });
    expect(await settled()).toBe("stopped");
    const types = ["terminal.ended", "service.moved"];
    const { events } = await rig.call("events.read", { after: 0, limit: 1000, types });
    const own = events.filter((event) => event["agent"] === agent);
    const hungUp = own.filter(({ type }) => type === "terminal.ended").at(-1);
    const asked = own.filter((event) => event["to"] === "stopping").at(-1);
    expect(asked?.seq).toBeGreaterThan(hungUp?.seq ?? Infinity);
    await rig.call("agent.start", { agent });
    expect(await settled()).toBe("running");
  });

  test("[TM18] windows are opened, named, listed and ended, and views are listed beside them", async () => {
    const terminal = await open({ window: "tests", argv: ["/bin/sh", "-c", "echo ready; read line; sleep 1000"] });
    expect(await open({ window: "tests", join: true })).toBe(terminal);
    await expect(open({ window: "tests" })).rejects.toMatchObject({ code: "already-there" });
    await expect(open({ window: "web" })).rejects.toMatchObject({ code: "already-there" });
    await rig.call("terminal.rename", { terminal, window: "checks" });
    const { terminals, views } = await rig.call("terminal.list", { agent: "shop-1" });
    expect(terminals).toMatchObject([{ id: terminal, window: "checks", run: null, agent, ended: null }]);
    expect(views.map(({ window, kind }) => `${window} ${kind}`)).toEqual(["web service", "monitor monitor"]);
    const looker = look(terminal);
    await looker.until(() => looker.hasKeyboard);
    await looker.sees("ready");
    looker.type("\r");
    // The program, and what it started.
    await expect.poll(async () => (await rig.call("terminal.get", { terminal })).processes).toBe(2);
    await rig.call("terminal.close", { terminal });
    expect(await looker.ended()).toMatchObject({ why: "stopped" });
    // A shell is alone until something is started in it.
    const shell = await open();
    const typing = look(shell);
    await typing.until(() => typing.hasKeyboard);
    await typing.sees(/\$ /);
    const processes = async (): Promise<number> => (await rig.call("terminal.get", { terminal: shell })).processes;
    await expect.poll(processes).toBe(1);
    typing.type("sleep 1000\r");
    await expect.poll(processes).toBe(2);
    await rig.call("terminal.close", { terminal: shell });
  });

  test("[TM18] a view shows what a service says, and its processes", async () => {
    const web = person(`${signalbox} attach shop-1 --window web`);
    await web.sees("said by web");
    web.type("\u0003");
    await web.exited;
    const monitor = person(`${signalbox} attach shop-1 --window monitor`);
    await monitor.sees("sleep 1000");
    monitor.type("\u0003");
    await monitor.exited;
    const none = person(`${signalbox} attach shop-1 --window run; echo code $?`);
    await none.sees("No run is in shop-1");
    // Nothing ran for them.
    expect((await rig.call("terminal.list", { agent })).terminals).toEqual([]);
  });

  test("[TM17] with a place that is made anew comes another shell, and who looked is carried over", async () => {
    const shell = await open();
    const program = await open({ argv: ["sleep", "1000"] });
    const [one, other] = [look(shell), look(program)];
    await one.until(() => one.hasKeyboard);
    one.type("echo before\r");
    await one.sees(/^before/m);
    await other.until(() => other.screens > 0);
    await rig.call("agent.restart", { agent });
    expect(await other.ended()).toMatchObject({ why: "stopped" });
    await one.until(() => one.news.some((news) => "moved" in news));
    expect(await settled()).toBe("running");
    const { heir, ended } = await get(shell);
    expect(ended?.why).toBe("renewed");
    expect(await get(heir ?? "")).toMatchObject({ window: (await get(shell)).window, agent, ended: null });
    await one.until(() => one.hasKeyboard);
    one.type("echo after $SIGNALBOX_TERMINAL\r");
    await one.sees(`after ${heir}`);
    // Its history came along, and its recording is one of its own.
    one.type("history | tail -3\r");
    await one.sees("echo before");
    one.type("exit\r");
    expect(await one.ended()).toMatchObject({ why: "ended" });
  });

  test("[TM25] when its keeper is killed, everybody stays connected, sees what happened, and is in the new shell", async () => {
    const shell = await open({ window: "shared" });
    const ann = look(shell, { name: "ann" });
    await ann.until(() => ann.hasKeyboard);
    const bea = look(shell, { name: "bea", readOnly: true });
    const cem = person(`${signalbox} attach shop-1 --window shared --read-only; echo code $?`);
    ann.type("echo shared $((6*7))\r");
    await Promise.all([ann.sees("shared 42"), bea.sees("shared 42"), cem.sees("shared 42")]);
    await ann.until(() => ann.viewers.length === 3);
    await rig.call("terminal.say", { terminal: shell, text: "hold on", name: "dee" });
    const sockets = [ann.sockets, bea.sockets];
    process.kill(keeperOf(agent), "SIGKILL");
    const hears = (one: ViewerRig): Promise<void> => one.until(() => one.news.some((news) => "comingBack" in news));
    await Promise.all([hears(ann), hears(bea), cem.sees(/The agent (is|was) begun anew/)]);
    const moved = (one: ViewerRig): Promise<void> => one.until(() => one.news.some((news) => "moved" in news));
    await Promise.all([moved(ann), moved(bea)]);
    expect(await settled()).toBe("running");
    const { heir } = await get(shell);
    // The one who typed types on, the others look on, and nobody had to come again.
    await ann.until(() => ann.hasKeyboard && ann.viewers.length === 3);
    ann.type("echo now in $SIGNALBOX_TERMINAL\r");
    const after = `now in ${heir}`;
    await Promise.all([ann.sees(after), bea.sees(after), cem.sees(after)]);
    expect([ann.sockets, bea.sockets]).toEqual(sockets);
    expect((await get(heir ?? "")).keyboard).toMatchObject({ name: "ann" });
    expect(ann.answers).toEqual([]);
    // What was said between them is there for whoever comes now.
    const late = look(heir ?? "", { readOnly: true });
    await late.until(() => late.news.some((news) => "said" in news && news.said.text === "hold on"));
    ann.type("exit 4\r");
    expect(await ann.ended()).toMatchObject({ why: "ended", exit: 4 });
    expect(await bea.ended()).toMatchObject({ exit: 4 });
    await cem.sees("code 4");
  });

  test("[TM25] who waits for a shell that does not come back after all is told so", async () => {
    const shell = await open();
    const ann = look(shell);
    await ann.until(() => ann.hasKeyboard);
    await ann.sees(/\$ /);
    // Its services take a second to end, in which somebody thinks better of it.
    await rig.call("agent.restart", { agent });
    await rig.call("agent.stop", { agent });
    expect(await ann.ended()).toMatchObject({ why: "stopped" });
    expect(await settled()).toBe("stopped");
    await rig.call("agent.start", { agent });
    expect(await settled()).toBe("running");
  });

  test("[TM19] people say lines to each other, which are not typed and not recorded", async () => {
    const terminal = await open({ window: "talk" });
    const first = person(`${signalbox} attach shop-1 --window talk`);
    await first.sees(/\$ /);
    const second = look(terminal, { readOnly: true, name: "bea" });
    await second.sees(/\$ /);
    first.type("\u0010\u0013");
    await first.sees("say to all");
    first.type("look at that\r");
    await second.until(() => second.news.some((news) => "said" in news && news.said.text === "look at that"));
    // What the line stood on is there again.
    await expect.poll(() => first.lines.join("\n")).not.toContain("say to all");
    expect(await rig.call("terminal.say", { terminal, text: "from outside", name: "cem" })).toEqual({ heard: 2 });
    await second.until(() => second.news.some((news) => "said" in news && news.said.name === "cem"));
    const late = look(terminal, { readOnly: true });
    await late.until(() => late.news.some((news) => "said" in news && news.said.text === "from outside"));
    await rig.call("terminal.close", { terminal });
    const { events } = await rig.call("terminal.recording", { terminal });
    const said = events.map((event) => ("base64" in event ? Buffer.from(event.base64, "base64").toString() : ""));
    expect(said.join("")).not.toContain("look at that");
  });

  test("[TM20] recordings that are kept no longer go, and those of open terminals stay", async () => {
    const [old, open_] = [await open({ argv: ["echo", "gone soon"] }), await open({ argv: ["sleep", "1000"] })];
    await expect.poll(async () => (await get(old)).ended?.exit).toBe(0);
    await rig.call("policy.set", { name: "short", rules: { recordingBytes: 0 } });
    await rig.restartDaemon();
    await rig.call("maintain", {});
    await expect.poll(() => get(old).catch((error: unknown) => error)).toMatchObject({ code: "not-found" });
    expect(await get(open_)).toMatchObject({ ended: null });
    expect((await rig.call("terminal.recording", { terminal: open_ })).events).toEqual([]);
    await rig.call("policy.remove", { name: "short" });
    await rig.call("terminal.close", { terminal: open_ });
  });

  test("[TM17] with its agent everything of it goes, and audit finds nothing", async () => {
    const shell = await open();
    const viewer = look(shell);
    await viewer.until(() => viewer.hasKeyboard);
    viewer.type("(sleep 1000 &) ; echo begun\r");
    await viewer.sees(/^begun/m);
    await rig.call("agent.remove", { agent, force: true, discard: true });
    expect(await viewer.ended()).toMatchObject({ why: "stopped" });
    expect(await rig.settled(agent)).toBeNull();
    expect((await rig.call("terminal.list", {})).terminals).toEqual([]);
    expect((await rig.call("audit", {})).findings).toEqual([]);
  });

  test("[TM23] what was recorded outlives the agent, is found by its name and goes when a person removes it", async () => {
    await rig.restartDaemon();
    const { terminals } = await rig.call("terminal.list", { agent: "shop-1", removed: true });
    const [last] = terminals;
    expect(terminals.length).toBeGreaterThan(1);
    expect(last).toMatchObject({ agent, agentName: "shop-1", ended: { why: "stopped" } });
    expect(last?.ended?.bytes).toBeGreaterThan(0);
    expect(terminals.every(({ removedAtMs }) => removedAtMs !== null)).toBe(true);
    const terminal = last?.id ?? "";
    const { events } = await rig.call("terminal.recording", { terminal });
    const said = events.map((event) => ("base64" in event ? Buffer.from(event.base64, "base64").toString() : ""));
    expect(said.join("")).toContain("echo begun");
    const { matches } = await rig.call("terminal.search", { text: "begun", agent: "shop-1" });
    expect(matches).toContainEqual(expect.objectContaining({ terminal, agentName: "shop-1" }));
    const listed = person(`${signalbox} recording list --removed; ${signalbox} recording rm ${terminal}; echo code $?`);
    await listed.sees("shop-1 (removed)");
    await listed.sees("code 0");
    await expect(rig.call("terminal.recording", { terminal })).rejects.toMatchObject({ code: "not-found" });
    // Another agent of that name has its own, and these are found beside them.
    const made = await rig.call("agent.create", { project: "shop", template: stack, file: "s", name: "shop-1" });
    await rig.settled(made.agent.id);
    const fresh = (await rig.call("terminal.open", { agent: made.agent.id })).terminal;
    const both = (await rig.call("terminal.list", { agent: "shop-1", all: true })).terminals;
    expect(both.map(({ id }) => id)).toEqual([fresh, ...terminals.slice(1).map(({ id }) => id)]);
    expect((await rig.call("terminal.list", { agent: made.agent.id, all: true })).terminals).toHaveLength(1);
    await expect(rig.call("terminal.forget", { terminal: fresh })).rejects.toMatchObject({ code: "in-use" });
  });
});
