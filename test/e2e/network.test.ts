// What an agent reaches of the network from inside its cage, and what is known of it afterwards.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { InputOf } from "../../src/protocol/operations.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { FakeRegistry } from "../support/fake-registry.ts";
import { noCages } from "../support/keeper-rig.ts";
import { SampleProject } from "../support/sample-project.ts";

// Only what the system has is seen inside whoever the agents are.
const hasNpm = existsSync("/usr/bin/npm");
const hasPip = spawnSync("/usr/bin/python3", ["-m", "pip", "--version"]).status === 0;
if (!hasNpm) console.warn("NPM IS NOT TRIED INSIDE: there is none in /usr/bin.");
if (!hasPip) console.warn("PIP IS NOT TRIED INSIDE: /usr/bin/python3 has none.");

describe.skipIf(noCages)("the network of an agent", () => {
  let daemon: DaemonProcess;
  let client: Client;
  let registry: FakeRegistry;
  const sample = new SampleProject({ "a.txt": "a\n", ".gitignore": "node_modules\nlib\n" });

  beforeAll(async () => {
    registry = await FakeRegistry.start();
    daemon = await DaemonProcess.start();
    client = await daemon.connect();
    const allow = ["developer", registry.place];
    await client.call("project.add", { root: sample.root, name: "shop", egress: { kind: "list", allow } });
  });

  afterAll(async () => {
    client.close();
    await daemon.remove();
    registry.close();
    sample.remove();
  });

  async function submit(command: string, more: Partial<InputOf<"run.submit">> = {}): Promise<string> {
    const script = JSON.stringify({ task: "try", steps: [{ run: command }] });
    return (await client.call("run.submit", { project: "shop", script, ...more })).run;
  }

  async function outputOf(run: string): Promise<string> {
    await client.waitForRun(run);
    const { events } = await client.call("run.log", { run, limit: 1000 });
    const [finished] = events.filter((event) => event.type === "call.finished");
    return String(finished?.["summary"]);
  }

  const fetching = (url: string): string =>
    `node -e 'fetch("${url}").then(async (a) => console.log(a.status, await a.text()), (e) => console.log("no:", String(e.cause ?? e)))'`;

  /** The forwarder itself, without a program in between that hides its answer. */
  const asking = (url: string): string =>
    `node -e 'const { hostname: host, port } = new URL(process.env.HTTP_PROXY); require("http").get({ host, port, path: "${url}" }, async (a) => console.log(a.statusCode, String(await a.toArray())))'`;

  test.skipIf(!hasNpm)("npm installs from a registry that is listed, and every connection is known", async () => {
    registry.addNpm("tiny");
    const flags = `--registry ${registry.url} --no-audit --no-fund --loglevel error`;
    const run = await submit(`/usr/bin/npm install ${flags} --no-save tiny && node -p 'require("tiny")'`);
    expect(await outputOf(run)).toContain("tiny");
    expect((await client.call("run.get", { run })).run).toMatchObject({ state: "done", egress: "list" });
    const { hosts, egress } = await client.call("run.egress", { run });
    expect(egress.kind).toBe("list");
    expect(hosts).toMatchObject([{ host: registry.host, address: registry.host, refusals: 0, refused: null }]);
    expect(hosts[0]?.bytesIn).toBeGreaterThan(100);
  });

  test.skipIf(!hasPip)("pip installs from an index that is listed", async () => {
    registry.addPip("tiny");
    const index = `--index-url ${registry.url}/simple --trusted-host ${registry.host}`;
    const flags = "--disable-pip-version-check --no-cache-dir --target lib";
    const command = `/usr/bin/python3 -m pip install -q ${flags} ${index} tiny && PYTHONPATH=lib /usr/bin/python3 -c 'import tiny; print(tiny.name)'`;
    expect(await outputOf(await submit(command))).toContain("tiny");
  });

  test("[EG5, EG6] nothing else is reached: no other host, not the machine's loopback, not the daemon", async () => {
    const { url } = await client.call("status", {});
    const own = url.replace("localhost", "127.0.0.1");
    const run = await submit([asking("http://gist.github.com/x"), asking(own), fetching(own)].join("; "));
    const output = await outputOf(run);
    expect(output).toContain("403 signalbox: gist.github.com:80 is not on the allow-list of project shop");
    expect(output).toContain("signalbox project change shop --allow gist.github.com");
    expect(output).toContain("403 signalbox: 127.0.0.1:");
    expect(output).toContain("no: Error: connect ECONNREFUSED");
    const { hosts } = await client.call("run.egress", { run });
    const refused = { connections: 0, refusals: 1, refused: "not-listed", bytesOut: 0 };
    expect(hosts).toMatchObject([
      { host: "gist.github.com", port: 80, ...refused },
      { host: "127.0.0.1", ...refused },
    ]);
  });

  test("[EG1] a run without a network has no way at all", async () => {
    const run = await submit(`env | grep -ic proxy; ${fetching(registry.url)}`, { egress: "none" });
    expect(await outputOf(run)).toMatch(/^0\nno: .*(ENETUNREACH|ECONNREFUSED)/);
    expect((await client.call("run.egress", { run })).hosts).toEqual([]);
  });

  test("[EG5] a connection that is wanted while the daemon is dead waits for the next one", async () => {
    const wanted = Promise.withResolvers<void>();
    registry.route("/never", () => wanted.resolve());
    registry.route("/later", (_asked, answer) => void answer.end("there you are"));
    // The first one breaks when the daemon does; the second is tried in that very moment.
    const run = await submit(`${fetching(`${registry.url}/never`)}; ${fetching(`${registry.url}/later`)}`);
    await wanted.promise;
    client.close();
    await daemon.kill();
    await daemon.up();
    client = await daemon.connect();
    const output = await outputOf(run);
    expect(output).toMatch(/^no: /);
    expect(output).toContain("200 there you are");
    // The one that was cut off is known all the same.
    expect((await client.call("run.egress", { run })).hosts).toMatchObject([{ connections: 2 }]);
  });
});
