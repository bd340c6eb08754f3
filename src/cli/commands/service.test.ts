import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { protocolError } from "../../protocol/errors.ts";
import { tryCli } from "../testing/try-cli.ts";

const services = [makeService("web-1", { group: "web" }), makeService("web-2", { group: "web" }), makeService("db")];
const agent = makeAgent("a_1", { name: "shop-1", services });
const other = makeAgent("a_2", { name: "shop-2", services: [makeService("queue")] });
const answers = {
  "service.get": ({ service }: { service: string }) => {
    const found = services.filter(({ name, group }) => name === service || group === service);
    if (found.length === 0) return protocolError("not-found", { kind: "service", id: `shop-1/${service}` });
    return { agent: "a_1", name: "shop-1", services: found };
  },
  "agent.get": { agent },
  "agent.list": { agents: [agent, other] },
  "service.restart": { agent },
  "agent.wait": { agent, rests: true, seen: 1 },
};

const rows = (stdout: string): string[] =>
  stdout
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");

describe("services", () => {
  test("[AG9] are listed of all agents, or of one", async () => {
    const all = await tryCli(["service", "list"], answers);
    expect(rows(all.stdout).map((line) => line.split(/ +/).slice(0, 2).join(" "))).toEqual([
      ...["shop-1 web-1", "shop-1 web-2", "shop-1 db"],
      "shop-2 queue",
    ]);
    const one = await tryCli(["service", "ls", "shop-1", "--json"], answers);
    expect(JSON.parse(one.stdout)).toMatchObject({
      services: [{ agent: "shop-1", name: "web-1" }, {}, { name: "db" }],
    });
  });

  test("are shown by name, with all instances; one that is not there is said to be none", async () => {
    expect(rows((await tryCli(["service", "show", "shop-1", "web"], answers)).stdout)).toHaveLength(2);
    expect(rows((await tryCli(["service", "inspect", "shop-1", "db"], answers)).stdout)).toHaveLength(1);
    const none = await tryCli(["service", "show", "shop-1", "nothing"], answers);
    expect(none).toMatchObject({ exitCode: 4, stdout: "" });
    expect(none.stderr).toContain("shop-1/nothing");
  });

  test("[AU30] what one uses is a table, and so are its processes; where nothing runs, that is said", async () => {
    const use = {
      cpu: 0.5,
      cpuMs: 61_000,
      memoryBytes: 1_048_576,
      files: 12,
      writtenBytes: 3_145_728,
      processes: 2,
      threads: 3,
      limits: null,
    };
    const web = { name: "web-1", state: "up", ports: [], dataBytes: 2048, ...use };
    const about = { agent: "a_1", name: "shop-1" };
    const stats = await tryCli(["service", "stats", "shop-1", "web"], {
      "service.stats": { ...about, services: [web] },
    });
    expect(stats.calls).toEqual([["service.stats", { agent: "shop-1", service: "web" }]]);
    expect(rows(stats.stdout)).toEqual([
      expect.stringMatching(/shop-1 +web-1 +up +50\.0 % .* 1\.0 MiB +12 +3\.0 MiB +3 +2 +2\.0 KiB/),
    ]);
    const top = {
      ...about,
      total: 1,
      processes: [{ ...use, pid: 77, command: "node x.js", service: "web-1", call: "c" }],
    };
    const listed = await tryCli(["service", "top", "shop-1", "web"], { "service.top": top });
    expect(listed.stdout).toMatch(/77 +web-1 +50\.0 % .* node x\.js/);
    const none = await tryCli(["service", "top", "shop-1", "web"], {
      "service.top": { ...top, total: 0, processes: [] },
    });
    expect(none.stderr).toBe("Nothing of web runs in shop-1.\n");
  });

  test("[AG83] a command beside one is begun with its name, and a word is missing where there is none", async () => {
    const end = { exit: 3, why: "ended", output: "hello", outputBytes: 5 };
    const one = await tryCli(["service", "exec", "shop-1", "web", "--json", "--", "env"], { "service.exec": end });
    expect(one.calls).toEqual([["service.exec", { agent: "shop-1", service: "web", argv: ["env"] }]]);
    expect(one.exitCode).toBe(3);
    const none = await tryCli(["service", "exec", "shop-1", "web"], answers);
    expect(none).toMatchObject({ exitCode: 2, calls: [] });
  });

  test("[AW15] how many there are, and becoming what a template says, are asked for one alone", async () => {
    const plan = { changes: [], restarts: [], effect: "none" };
    const scaled = await tryCli(["service", "scale", "shop-1", "web", "3", "-d", "--json"], {
      "service.scale": { agent, ...plan },
    });
    expect(scaled.calls).toEqual([["service.scale", { agent: "shop-1", service: "web", instances: 3 }]]);
    expect(await tryCli(["service", "scale", "shop-1", "web", "some"], answers)).toMatchObject({
      exitCode: 2,
      calls: [],
    });
    const folder = mkdtempSync(join(tmpdir(), "signalbox-service-"));
    writeFileSync(join(folder, "signalbox.yaml"), "template: shop\n");
    const asked = { agent: "shop-1", service: "web", template: "template: shop\n", file: "signalbox.yaml" };
    const drift = await tryCli(
      ["service", "drift", "shop-1", "web"],
      { "service.reload": { agent, ...plan } },
      { cwd: folder },
    );
    expect(drift.calls).toEqual([["service.reload", { ...asked, dryRun: true }]]);
    expect(drift.stderr).toBe("Nothing differs.\n");
    const reload = ["service", "reload", "shop-1", "web", "-d", "--json"];
    const reloaded = await tryCli(reload, { "service.reload": { agent, ...plan } }, { cwd: folder });
    expect(reloaded.calls).toEqual([["service.reload", asked]]);
    rmSync(folder, { recursive: true });
  });

  test("[AG84] what is asked of one is waited for, and one that did not come up is an end with 1; -d does not wait", async () => {
    const restart = ["service", "restart", "shop-1", "web"];
    const starting = makeAgent("a_1", { name: "shop-1", services: [makeService("web", { state: "starting" })] });
    const failed = makeAgent("a_1", { name: "shop-1", services: [makeService("web", { state: "failed" })] });
    const waits = [
      { agent: starting, rests: false, seen: 7 },
      { agent: failed, rests: true, seen: 9 },
    ];
    const asked = { "service.restart": { agent: starting }, "agent.wait": () => waits.shift() };
    const waited = await tryCli(restart, asked);
    expect(waited.calls).toEqual([
      ["service.restart", { agent: "shop-1", service: "web" }],
      ["agent.wait", { agent: "a_1", service: "web" }],
      ["agent.wait", { agent: "a_1", service: "web", seen: 7 }],
    ]);
    expect(waited).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("failed") as string });
    const detached = await tryCli([...restart, "-d"], asked);
    expect(detached.calls).toHaveLength(1);
    expect(detached).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("starting") as string });
  });

  test("[AG18] a stop in an agent that is stopped says what comes of it", async () => {
    const web = makeService("web", { state: "down", wanted: false, healthy: null });
    const stopped = makeAgent("a_1", { name: "shop-1", state: "stopped", services: [web] });
    const said = await tryCli(["service", "stop", "shop-1", "web"], {
      "service.stop": { agent: stopped },
      "agent.wait": { agent: stopped, rests: true, seen: 1 },
    });
    expect(said).toMatchObject({ exitCode: 0, stderr: "shop-1 is stopped; web stays down when it is started.\n" });
  });

  test("of which there are several are all shown when one asks for something", async () => {
    expect(rows((await tryCli(["service", "restart", "shop-1", "web"], answers)).stdout)).toHaveLength(2);
  });
});
