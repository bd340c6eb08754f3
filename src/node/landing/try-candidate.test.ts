import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { NodeRig } from "../../../test/support/node-rig.ts";
import { isRunning, pidOf, sayWho } from "../../../test/support/processes.ts";
import { Artifacts } from "../tool-host/artifacts.ts";
import { toRed } from "./try-candidate.ts";

const end = { exit: 1, signal: null, why: "ended", outputBytes: 0, leftOutBytes: 0 } as const;
const shell = (script: string): string[] => ["/bin/sh", "-c", script];

/** The workspaces that are there. */
const workspaces = (rig: NodeRig): string[] => readdirSync(join(rig.ground.agents.folder, "agents"));

describe("derived files", () => {
  const derived = [{ paths: ["sum"], command: shell("cat a b > sum; echo x > other; echo y >> b") }];

  test("[LD17] need no lease, are in no change set, and are made again on the candidate", async () => {
    const rig = await NodeRig.open();
    const landingTest = shell(`test "$(cat sum)" = "$(cat a b)" && ! test -e other`);
    const files = { a: "1\n", b: "2\n", sum: "1\n2\n" };
    const project = await rig.project({}, { files, git: true, derived, landingTest });
    const run = await rig.submit(
      project,
      'write: {path: sum, content: by hand}\nwrite: {path: a, content: "A\\n"}\nrun: echo again > sum',
    );
    expect(await rig.ended(run)).toBe("done");
    const landed = rig.log.find((event) => event.type === "run.landed");
    expect(landed).toMatchObject({ tested: "passed" });
    expect(rig.log.filter((event) => event.type === "lease.granted").flatMap(({ units }) => units)).toEqual(["file:a"]);
    expect(rig.log.find((event) => event.type === "run.approved")).toMatchObject({ approved: [{ path: "a" }] });
    expect([await rig.file("a"), await rig.file("sum"), await rig.file("b")]).toEqual(["A\n", "A\n2\n", "2\n"]);
    expect(await rig.files()).toEqual(["a", "b", "sum"]);
  });

  test("[LD17] that cannot be made send the landing back, with the last words of the command", async () => {
    const rig = await NodeRig.open();
    const failing = [{ paths: ["sum"], command: shell("echo no such tool; exit 7") }];
    const project = await rig.project({}, { files: { a: "1" }, derived: failing });
    const run = await rig.submit(project, "write: {path: a, content: A}");
    await rig.untilState(run, "review");
    expect(rig.run(run).because).toContain(`ended with 7: no such tool (all that it said: signalbox artifacts ${run} `);
    expect(await rig.file("a")).toBe("1");
  });
});

describe("[LD54] the network of commands that make derived files", () => {
  /** Asks for a page through the forwarder, and prints what it answers. */
  const ask = (port: number): string =>
    `exec 3<>/dev/tcp/127.0.0.1/31128 && printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;

  test("is what the project lists, where a person said so, recorded, and gone before the test", async () => {
    const server = createServer((_, answer) => answer.end("from outside")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const rig = await NodeRig.open();
    const fetched = [{ paths: ["sum"], command: ["bash", "-c", `(${ask(port)}) | tail -n 1 > sum`] }];
    const landingTest = ["bash", "-c", `[ -z "$HTTP_PROXY" ] && ! (${ask(port)}) 2>/dev/null | grep .`];
    const egress = { kind: "open", allow: [`127.0.0.1:${port}`] } as const;
    const project = await rig.project({}, { files: { a: "1" }, derived: fetched, landingTest, egress });
    const first = await rig.submit(project, "write: {path: a, content: A}", { egress: "none" });
    expect(await rig.ended(first)).toBe("done");
    expect(await rig.file("sum")).toBe("");
    await rig.ok({ type: "project.change", project, derivedNetwork: true });
    const second = await rig.submit(project, "write: {path: a, content: B}", { egress: "none" });
    expect(await rig.ended(second)).toBe("done");
    expect(await rig.file("sum")).toBe("from outside");
    const tried = rig.log.filter((event) => event.type === "egress.tried");
    expect(tried).toMatchObject([{ run: second, host: "127.0.0.1", port, refused: null }]);
  });
});

describe("the project's test of a candidate", () => {
  test("[LD30] sees what would land and nothing else, and what it leaves behind goes with it", async () => {
    const rig = await NodeRig.open();
    const look = "cat a b; ls; echo x > by-product; (sleep 1000 &)";
    const landingTest = shell(`${look}; test "$(ls)" = "a\nb\nby-product"`);
    const project = await rig.project({}, { files: { b: "b" }, git: true, landingTest });
    const run = await rig.submit(project, "write: {path: a, content: A}\nrun: mkdir -p .git && echo x > .git/mine");
    expect(await rig.ended(run)).toBe("done");
    expect(rig.log.find((event) => event.type === "run.landed")).toMatchObject({ tested: "passed" });
    expect(await rig.files()).toEqual(["a", "b"]);
    expect(rig.kept).toEqual([]);
  });

  test("[LD30] that is red once and then green is flaky; red twice goes to a person, with its last words", async () => {
    const rig = await NodeRig.open();
    const landingTest = shell(
      "grep -q bad a && { echo it is bad; exit 4; }; test -e tried || { touch tried; exit 1; }",
    );
    const project = await rig.project({}, { files: { a: "a" }, landingTest });
    const flaky = await rig.submit(project, "write: {path: a, content: good}");
    expect(await rig.ended(flaky)).toBe("done");
    expect(rig.log.find((event) => event.type === "run.landed")).toMatchObject({ tested: "flaky" });
    const red = await rig.submit(project, "write: {path: a, content: bad}");
    await rig.untilState(red, "review");
    expect(rig.run(red).because).toContain("ended with 4: it is bad (all that it said: ");
    const kept = await new Artifacts(join(rig.ground.folder, "calls", red)).read("landing-test.txt", 0, 1000);
    expect(String(kept?.bytes)).toBe("it is bad\n");
    expect(await rig.file("a")).toBe("good");
    expect(rig.kept).toEqual([red]);
  });

  test("[LD37] that a restart interrupted is made again, and nothing of the first is left", async () => {
    const rig = await NodeRig.open();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const landingTest = shell(`echo x > ${started.path}; read line < ${go.path}`);
    const project = await rig.project({}, { landingTest });
    const run = await rig.submit(project, "write: {path: a, content: A}");
    await started.heard();
    expect(workspaces(rig)).toHaveLength(2);
    const next = await rig.reopen();
    await started.heard();
    expect(workspaces(next)).toHaveLength(2);
    await go.say("go");
    expect(await next.ended(run)).toBe("done");
    expect(await next.file("a")).toBe("A");
    expect(next.kept).toEqual([]);
    // Whatever a daemon had no time to remove is gone before the next one does anything.
    mkdirSync(join(rig.ground.agents.folder, "agents", `landing-${project}-0123456789abcdef`));
    const last = await next.reopen();
    const other = await last.submit(project, "ask: anybody?");
    await last.untilState(other, "awaiting-input");
    // That of the run that is done stays for whoever continues it.
    expect(workspaces(last).toSorted()).toEqual([run, other].toSorted());
  });

  test("[LD37] that could not be begun is tried again in another place, and the first one is not left behind", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { landingTest: shell("test -e a") });
    const run = await rig.submit(project, "write: {path: a, content: A}\nask: ready?");
    await rig.untilState(run, "awaiting-input");
    const { pool } = rig.ground;
    const take = pool.take.bind(pool);
    const places: string[] = [];
    pool.take = async () => {
      const client = await take();
      places.push(...workspaces(rig).filter((agent) => agent.startsWith("landing-")));
      if (places.length === 1) await pool.kill(client.folder);
      return client;
    };
    await rig.ok({ type: "run.answer", run, text: "yes" });
    await expect.poll(() => places.length).toBe(1);
    // The next candidate is another commit: its author wrote it later.
    rig.clock.advance(1000);
    await expect.poll(() => workspaces(rig)).toEqual([run]);
    // When it is tried again depends on when it last failed.
    const passTime = (): string => {
      rig.clock.advance(1000);
      return rig.run(run).state;
    };
    await expect.poll(passTime).not.toBe("landing");
    expect(await rig.ended(run)).toBe("done");
    expect(new Set(places).size).toBe(2);
    expect(workspaces(rig).filter((agent) => agent.startsWith("landing-"))).toEqual([]);
  });

  test("[LD46] ends with its run when that is stopped, with everything that it started, and the next landing has its turn", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const hang = `(setsid sh -c '${sayWho} > ${started.path}; exec sleep 1000' &) ; read forever < /dev/fd/3`;
    const landingTest = shell(`grep -q bad a || exit 0; exec 3<> pipe-of-its-own; ${hang}`);
    const project = await rig.project({}, { files: { a: "a" }, landingTest });
    const bad = await rig.submit(project, "write: {path: a, content: bad}");
    const pid = pidOf(await started.heard());
    const good = await rig.submit(project, "write: {path: b, content: good}");
    await rig.untilState(good, "landing");
    await rig.terminate(bad);
    expect(await rig.ended(bad)).toBe("terminated: enough");
    expect(await rig.ended(good)).toBe("done");
    expect(isRunning(pid)).toBe(false);
    expect([await rig.file("a"), await rig.file("b")]).toEqual(["a", "good"]);
    expect(await rig.trash(bad)).toEqual({ a: "bad" });
    expect(workspaces(rig).filter((agent) => agent.startsWith("landing-"))).toEqual([]);
  });

  test("[LD47] that takes too long is ended, is red, and is not tried again", async () => {
    const rig = await NodeRig.open();
    const landingTest = shell("echo begun; exec sleep 1000");
    const project = await rig.project({}, { files: { a: "a" }, landingTest, testTimeMs: 300 });
    const run = await rig.submit(project, "write: {path: a, content: A}");
    await rig.untilState(run, "review");
    expect(rig.run(run).because).toContain(" was not done in the time that it has: begun (all ");
    expect(await rig.file("a")).toBe("a");
    expect(rig.kept).toEqual([run]);
  });

  test("[LD30] that is red says so with its last words, or without", () => {
    const red = (argv: string[], tail: string): string => toRed({ argv, end: { ...end, tail } }, "r_1");
    const all = "(all that it said: signalbox artifacts r_1 landing-test.txt)";
    expect(red(["npm", "test"], "\u001B[31m1 failed\u001B[0m\r\n\n")).toBe(`npm test ended with 1: 1 failed ${all}`);
    const stack = "AssertionError: 1 is not 2\n    at test.js:3\nnpm error code 1\n---\n";
    expect(red(["sh", "-c", "a\n  b"], stack)).toBe(`sh -c a b ended with 1: AssertionError: 1 is not 2 ${all}`);
    expect(red(["false"], "")).toBe("false ended with 1");
    expect(red(["x"], "y".repeat(5000))).toHaveLength(`x ended with 1: ${all} `.length + 200);
  });
});
