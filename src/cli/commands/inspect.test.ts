import { describe, expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { protocolError } from "../../protocol/errors.ts";
import { tryCli } from "../testing/try-cli.ts";

const web = makeService("web");
const agent = makeAgent("a_1", { name: "live", services: [web] });
const none = (kind: string) => () => protocolError("not-found", { kind, id: "live" });
const answers = {
  ...{ "project.get": none("project"), "policy.get": none("policy"), "agent.get": { agent } },
  "service.get": { agent: "a_1", name: "live", services: [web] },
  ...{ "project.list": { projects: [] }, "policy.list": { policies: [] }, "agent.list": { agents: [agent] } },
};

describe("inspect", () => {
  test("[AU20] knows agents by id and by name, as agent show does", async () => {
    const shown = await tryCli(["agent", "show", "live"], answers);
    const byId = await tryCli(["inspect", "a_1"], answers);
    expect(byId.calls[0]).toEqual(["agent.get", { agent: "a_1" }]);
    expect(byId.stdout).toBe(shown.stdout);
    expect((await tryCli(["inspect", "live"], answers)).stdout).toBe(shown.stdout);
    const json = await tryCli(["inspect", "live", "--json"], answers);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: "agent", agent: { id: "a_1" } });
  });

  test("[AU20] knows services by AGENT/SERVICE", async () => {
    const shown = await tryCli(["inspect", "live/web"], answers);
    expect(shown.calls[0]).toEqual(["service.get", { agent: "live", service: "web" }]);
    expect(shown.stdout).toContain("web");
    const json = await tryCli(["inspect", "live/web", "--json"], answers);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: "service", service: { services: [{ name: "web" }] } });
    expect(await tryCli(["inspect", "live/"], answers)).toMatchObject({ exitCode: 4, calls: [] });
  });

  test("says what was meant where nothing has the name", async () => {
    const answer = await tryCli(["inspect", "lice"], { ...answers, "agent.get": none("agent") });
    expect(answer.exitCode).toBe(4);
    expect(answer.stderr).toContain('There is no project, policy or agent "lice". Did you mean live?');
  });
});
