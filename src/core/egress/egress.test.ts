import { describe, expect, test } from "vitest";
import { CoreWorld, toProject, toSubmit } from "../../../test/support/core-world.ts";
import { derivedEgressOf, egressOf, mayTry, type Egress } from "./egress.ts";
import { hostsMax } from "./egress-step.ts";

const list = (...allow: string[]): Egress => ({ kind: "list", allow });

function made(egress?: Egress): { world: CoreWorld; project: string } {
  const world = new CoreWorld();
  const answer = world.ok({ ...toProject("p"), egress });
  return { world, project: answer.of === "id" ? answer.id : "" };
}

const kindOf = (world: CoreWorld, run: string) => {
  const { kind, policy } = egressOf(world.state, world.run(run));
  return policy === null ? kind : `${kind} by ${policy}`;
};

describe("how much of the network a run has", () => {
  test("[EG1] what it asks for, else what its project grants, else nothing", () => {
    const { world } = made(list("example.org"));
    expect(kindOf(world, world.submit())).toBe("list");
    expect(kindOf(world, world.submit({ egress: "open" }))).toBe("open");
    expect(kindOf(world, world.submit({ egress: "none" }))).toBe("none");
    const old = made();
    expect(kindOf(old.world, old.world.submit())).toBe("none");
  });

  test("[EG1] a policy bounds it: whoever asks for more is refused, what a project grants is cut down", () => {
    const { world } = made({ kind: "open", allow: [] });
    const before = world.submit({ egress: "open" });
    world.policy("careful", { allowedEgress: "list" });
    expect(world.no(toSubmit(world.state, { egress: "open" }))).toEqual({
      code: "policy-denied",
      policy: "careful",
      rule: "allowedEgress",
      what: "open",
    });
    expect(kindOf(world, world.submit())).toBe("list by careful");
    expect(kindOf(world, world.submit({ egress: "none" }))).toBe("none");
    expect(kindOf(world, before)).toBe("list by careful");
  });

  test("[EG1] a sub-run has what its root has, and a retry what the run had", () => {
    const { world } = made(list("example.org"));
    const root = world.started({ egress: "none" });
    const sub = world.submit({ parent: root, sub: true, egress: "open" });
    expect(kindOf(world, sub)).toBe("none");
    world.ok({ type: "run.terminate", select: { by: "run", run: root }, because: "enough" });
    world.ok({ type: "run.retry", run: root });
    expect(world.last.find((event) => event.type === "run.submitted")).toMatchObject({ egress: "none", retryOf: root });
    const open = made();
    const run = open.world.submit({ egress: "open" });
    open.world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    open.world.policy("careful", { allowedEgress: "list" });
    expect(open.world.no({ type: "run.retry", run })).toMatchObject({ code: "policy-denied", rule: "allowedEgress" });
  });

  test("[LD54] commands for derived files have none, or what is listed where a person and the policies say so", () => {
    const { world, project } = made({ kind: "open", allow: ["example.org"] });
    const run = world.submit({ egress: "open" });
    const has = (): Egress => derivedEgressOf(world.state, world.run(run));
    expect(has().kind).toBe("none");
    world.ok({ type: "project.change", project, derivedNetwork: true });
    expect(has()).toEqual(list("example.org"));
    world.policy("careful", { allowedEgress: "none" });
    expect(has().kind).toBe("none");
    world.policy("careful", { allowedEgress: "list" });
    world.ok({ type: "project.change", project, egress: { kind: "none", allow: ["example.org"] } });
    expect(has().kind).toBe("none");
  });

  test("[EG3] a project may change it for runs that are under way, and other changes leave it alone", () => {
    const { world, project } = made(list("example.org"));
    const run = world.submit();
    world.ok({ type: "project.change", project, landingTest: ["true"] });
    expect(egressOf(world.state, world.run(run)).allow).toEqual(["example.org"]);
    world.ok({ type: "project.change", project, egress: { kind: "open", allow: [] } });
    expect(kindOf(world, run)).toBe("open");
  });
});

describe("an allow-list", () => {
  test.each([
    ["example.org", "example.org:443", true],
    ["example.org", "example.org:80", true],
    ["example.org", "example.org:22", false],
    ["example.org:22", "example.org:22", true],
    ["example.org:22", "example.org:443", false],
    ["Example.ORG", "example.org:443", true],
    ["example.org", "a.example.org:443", false],
    ["example.org", "badexample.org:443", false],
    ["example.org", "example.org.evil.net:443", false],
    ["*.example.org", "a.b.example.org:443", true],
    ["*.example.org", "example.org:443", false],
    ["*.example.org", "badexample.org:443", false],
    ["*.example.org:8443", "a.example.org:8443", true],
    ["developer", "registry.npmjs.org:443", true],
    ["developer", "files.pythonhosted.org:443", true],
    ["developer", "registry.npmjs.org:80", false],
    ["developer", "github.com:443", false],
    ["constructor", "example.org:443", false],
    ["[::1]:8080", "::1:8080", true],
    ["127.0.0.1", "127.0.0.1:80", true],
  ])("[EG2] %s for %s: %s", (entry, text, expected) => {
    const at = text.lastIndexOf(":");
    expect(mayTry(list(entry), { host: text.slice(0, at), port: Number(text.slice(at + 1)) })).toBe(expected);
  });

  test("[EG1] none is nobody whatever is listed, open is everybody", () => {
    const target = { host: "example.org", port: 443 };
    expect(mayTry({ kind: "none", allow: ["example.org"] }, target)).toBe(false);
    expect(mayTry({ kind: "open", allow: [] }, { ...target, port: 22 })).toBe(true);
  });
});

describe("what is written down", () => {
  test("[EG9] tries and sums add up to what a run had to do with a host", () => {
    const { world } = made(list("example.org"));
    const run = world.submit();
    const target = { run, host: "example.org", port: 443 };
    world.ok({ type: "egress.try", ...target, address: "93.184.216.34", refused: null }, "system");
    world.ok({ type: "egress.try", ...target, address: null, refused: "unknown-host" }, "system");
    world.ok({ type: "egress.sum", ...target, connections: 2, refusals: 3, bytesOut: 10, bytesIn: 2000 }, "system");
    expect([...world.run(run).reached.values()]).toMatchObject([
      {
        ...{ host: "example.org", port: 443, connections: 3, refusals: 4, bytesOut: 10, bytesIn: 2000 },
        ...{ address: "93.184.216.34", refused: "unknown-host", lastAtMs: world.nowMs },
      },
    ]);
    expect(world.no({ type: "egress.try", ...target, run: "r_none", address: null, refused: null })).toMatchObject({
      code: "not-found",
    });
  });

  test("[EG8] an address that was refused can be looked up: a person has to see it to allow it", () => {
    const { world } = made(list("npm.corp.example"));
    const run = world.submit();
    const tried = {
      run,
      host: "npm.corp.example",
      port: 443,
      address: "10.0.0.7",
      refused: "private-address",
    } as const;
    world.ok({ type: "egress.try", ...tried });
    expect(world.run(run).reached.get("npm.corp.example:443")).toMatchObject({ address: "10.0.0.7", connections: 0 });
  });

  test("[EG10] what is remembered of a run is bounded", () => {
    const { world } = made(list("example.org"));
    const run = world.submit();
    for (let at = 0; at < hostsMax + 5; at++)
      world.ok({ type: "egress.try", run, host: `h${at}.org`, port: 443, address: null, refused: "not-listed" });
    const { reached } = world.run(run);
    expect(reached.size).toBe(hostsMax + 1);
    expect(reached.get("*:0")).toMatchObject({ refusals: 5 });
  });
});
