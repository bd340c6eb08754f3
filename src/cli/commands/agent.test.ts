import { describe, expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { protocolError } from "../../protocol/errors.ts";
import { tryCli } from "../testing/try-cli.ts";

const agents = new Map(
  ["a_1", "a_2"].map((id, at) => [`shop-${at + 1}`, makeAgent(id, { name: `shop-${at + 1}`, state: "stopped" })]),
);
type Named = { readonly agent: string };
const find = ({ agent }: Named): unknown => {
  const found = [...agents.values()].find(({ id, name }) => id === agent || name === agent);
  return found === undefined ? protocolError("not-found", { kind: "agent", id: agent }) : { agent: found };
};
const answers = { "agent.get": find, "agent.start": find, "agent.stop": find, "agent.restart": find };

describe("of several agents", () => {
  test.each([
    [["start"], "agent.start", {}],
    [["stop", "--force"], "agent.stop", { force: true }],
    [["restart", "--apps"], "agent.restart", { applications: true }],
  ] as const)("%j asks for each of them, once, and shows all", async ([verb, ...flags], operation, more) => {
    const words = ["agent", verb, "shop-1", "shop-2", "a_1", "-d", ...flags];
    const { exitCode, stdout, calls } = await tryCli(words, answers);
    expect(exitCode).toBe(0);
    expect(calls.filter(([name]) => name === operation)).toEqual([
      [operation, { agent: "a_1", ...more }],
      [operation, { agent: "a_2", ...more }],
    ]);
    expect(stdout).toMatch(/shop-1 +stopped[^]*shop-2 +stopped/);
  });

  test("none is asked anything where one of them is not there", async () => {
    const { exitCode, stderr, calls } = await tryCli(["agent", "stop", "shop-1", "shop-9", "-d"], answers);
    expect(exitCode).toBe(4);
    expect(stderr).toContain("shop-9");
    expect(calls.map(([name]) => name)).not.toContain("agent.stop");
  });

  test("one alone is answered as one", async () => {
    const { stdout } = await tryCli(["agent", "stop", "shop-1", "-d", "--json"], answers);
    expect(JSON.parse(stdout)).toMatchObject({ agent: { id: "a_1" } });
    const both = await tryCli(["agent", "stop", "shop-1", "shop-2", "-d", "--json"], answers);
    expect(JSON.parse(both.stdout)).toMatchObject({ agents: [{ id: "a_1" }, { id: "a_2" }] });
  });
});

test("[AW9] where nothing but archived agents is, the list says so, and how to see them", async () => {
  const listed = (...put: readonly unknown[]): object => ({
    "agent.list": ({ archived }: { readonly archived: boolean }) => ({ agents: archived ? put : [] }),
  });
  const some = await tryCli(["agent", "list"], { ...listed(...agents.values()) });
  expect(some.stderr).toContain("There is no agent. 2 are archived: signalbox agent list --archived\n");
  expect((await tryCli(["agent", "list"], { ...listed() })).stderr).toMatch(/^There is no agent. Make one/);
});

test("a list says of those in error why they are, with what the service at fault said last", async () => {
  const web = makeService("web", {
    state: "failed",
    because: "it ended with 1",
    end: { exit: 1, why: "ended", said: "SyntaxError: no \u001b[31mgood\n    at a (b.js:1)\n\nNode.js v24.21.0\n" },
  });
  const failed = makeAgent("a_3", { name: "shop-3", state: "error", because: "web: it ended with 1", services: [web] });
  const listed = await tryCli(["agent", "list"], { "agent.list": { agents: [...agents.values(), failed] } });
  expect(listed.stderr).toBe(
    "shop-3 is in error: web: it ended with 1: SyntaxError: no good (signalbox agent failures shop-3)\n",
  );
  const crowd = Array.from({ length: 12 }, () => failed);
  expect((await tryCli(["agent", "list"], { "agent.list": { agents: crowd } })).stderr).toMatch(
    /2 more are in error\.\n$/,
  );
});
