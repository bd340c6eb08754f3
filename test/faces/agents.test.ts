// Living agents over the real socket: what they are made with, and how many a model may make.

import { expect, test } from "vitest";
import { askTool } from "../support/faces/ask-tool.ts";
import { inFaceWorld } from "../support/faces/face-world.ts";

test("[AW1, AW3] secrets that a template names are there before an agent is made, and are given by people", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const secret = "template: shop\nservices: { web: { command: sleep 9, env: { KEY: { secret: STRIPE_KEY } } } }\n";
    const make = (): Promise<unknown> => world.http.call("agent.create", { project: "shop", template: secret });
    await expect(make()).rejects.toMatchObject({
      code: "secret-missing",
      data: { names: ["STRIPE_KEY"] },
      message: expect.stringMatching("STRIPE_KEY.*signalbox secret set") as string,
    });
    expect((await world.http.call("agent.list", {})).agents).toEqual([]);
    await world.http.call("secret.set", { name: "STRIPE_KEY", value: "open-sesame-1" });
    expect(await askTool(world, "agent_create", { project: "shop", template: secret })).toContain("forbidden");
    await make();
    expect(await askTool(world, "agent_scale", { project: "shop", template: "shop", count: 2 })).toContain("forbidden");
    expect((await world.http.call("agent.list", {})).agents).toHaveLength(1);
    expect(world.stateText()).toContain("STRIPE_KEY");
    expect(world.stateText()).not.toContain("open-sesame-1");
  }));

test("[AG85] an agent is made for the project that somebody names, else for its template's", () =>
  inFaceWorld(async (world) => {
    const make = (rest: string, project?: string): Promise<{ readonly agent: { readonly projectName: string } }> =>
      world.http.call("agent.create", {
        ...(project === undefined ? {} : { project }),
        template: `{ template: shop, ${rest} }`,
      });
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    expect((await make("project: shop")).agent.projectName).toBe("shop");
    expect((await make("project: gone", "shop")).agent.projectName).toBe("shop");
    await expect(make("project: gone")).rejects.toMatchObject({
      code: "bad-input",
      data: { where: "project" },
      message: expect.stringContaining("for the project gone, and there is none") as string,
    });
    await expect(make("")).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("the template names none either") as string,
    });
    expect(await askTool(world, "agent_create", { template: "{ template: shop, project: shop }" })).toContain("shop-3");
    expect((await world.http.call("agent.list", {})).agents).toHaveLength(3);
    const checked = await world.http.call("template.check", { template: "{ template: shop, project: shop }" });
    expect(checked).toMatchObject({ ok: true, project: "shop" });
  }));

test("[AG87] what was changed in an agent is set aside or discarded, not both", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const { agent } = await world.http.call("agent.create", { project: "shop", template: "{ template: shop }" });
    const both = { discard: true, setAside: true };
    const refused = { code: "bad-input", data: { where: "setAside" } };
    await expect(world.http.call("agent.remove", { agent: agent.id, ...both })).rejects.toMatchObject(refused);
    const none = { project: "shop", template: "shop", count: 0 };
    await expect(world.http.call("agent.scale", { ...none, ...both })).rejects.toMatchObject(refused);
    expect((await world.http.call("agent.list", {})).agents).toHaveLength(1);
    await world.http.call("agent.scale", { ...none, setAside: true });
    expect(world.engine.state.agents.get(agent.id)).toMatchObject({ wish: "remove", aside: true });
    await world.http.call("agent.remove", { agent: agent.id, discard: true });
    expect(world.engine.state.agents.get(agent.id)?.aside).toBeUndefined();
  }));

test("[AG86] how files are laid out is said by the template, shown, and refused where it cannot be had", () =>
  inFaceWorld(
    async (world) => {
      await world.http.call("project.add", { root: world.folder, name: "shop" });
      const make = (workspace: string): ReturnType<typeof world.http.call<"agent.create">> =>
        world.http.call("agent.create", { project: "shop", template: `{ template: shop, workspace: ${workspace} }` });
      expect((await make("clone")).agent.workspace).toBe("clone");
      await expect(make("overlay")).rejects.toMatchObject({
        code: "bad-input",
        message: expect.stringMatching("overlay cannot be had.*copies, because") as string,
      });
      await expect(make("worktree")).rejects.toMatchObject({
        code: "bad-template",
        message: expect.stringContaining("overlay, clone") as string,
      });
      const { agents } = await world.http.call("agent.list", {});
      expect(agents).toHaveLength(1);
      const other = { agent: agents[0]?.id ?? "", template: "{ template: shop }" };
      expect(await world.http.call("agent.reload", { ...other, dryRun: true })).toMatchObject({ effect: "never" });
      await expect(world.http.call("agent.reload", other)).rejects.toMatchObject({ code: "reload-refused" });
    },
    { workspaces: { kind: "clone", why: "copies, because somebody says so" } },
  ));

test("[AG86] where layers cannot be had any more, agents that want them go on, and no more of them are made", () => {
  const workspaces: { kind: "overlay" | "clone"; why: string } = { kind: "overlay", why: "stacked layers" };
  return inFaceWorld(
    async (world) => {
      await world.http.call("project.add", { root: world.folder, name: "shop" });
      const template = "{ template: shop, workspace: overlay }";
      const { agent } = await world.http.call("agent.create", { project: "shop", template });
      workspaces.kind = "clone";
      const more = world.http.call("agent.scale", { project: "shop", template: "shop", count: 2 });
      await expect(more).rejects.toMatchObject({ code: "bad-input", data: { where: "template" } });
      expect((await world.http.call("agent.list", {})).agents).toHaveLength(1);
      await world.http.call("agent.reload", { agent: agent.id, template });
    },
    { workspaces },
  );
});

test("[AW4, AW5, SV66] more of the network than the project has, and an image, are given by people", () =>
  inFaceWorld(async (world) => {
    const egress = { kind: "list" as const, allow: ["example.org"] };
    await world.http.call("project.add", { root: world.folder, name: "shop", egress });
    const make = (rest: string): Promise<string> =>
      askTool(world, "agent_create", { project: "shop", template: `{ template: shop, ${rest} }` });
    expect(await make("egress: list")).toContain("shop-1");
    expect(await make("egress: { allow: [example.org] }")).toContain("shop-2");
    expect(await make("egress: { allow: [other.org] }")).toContain("forbidden");
    expect(await make("egress: open")).toContain("forbidden");
    expect(await make("image: node:24")).toContain("forbidden");
    expect(await make("external: { db: { image: postgres:16 } }")).toContain("forbidden");
    const { agents } = await world.http.call("agent.list", {});
    expect(agents.map((agent) => agent.egress)).toEqual(["list", "list"]);
    const open = { project: "shop", template: "{ template: shop, egress: open, image: node:24 }" };
    const { agent } = await world.http.call("agent.create", open);
    expect(agent).toMatchObject({ egress: "open", image: { name: "node:24" } });
    expect(await world.http.call("agent.egress", { agent: agent.id })).toMatchObject({ hosts: [] });
    expect(await askTool(world, "agent_scale", { project: "shop", template: "shop", count: 4 })).toContain("forbidden");
    // Every public host is not this machine.
    await world.http.call("project.change", { project: "shop", egress: { kind: "open", allow: [] } });
    expect(await make("egress: { allow: ['127.0.0.1:80'] }")).toContain("forbidden");
    expect(await make("egress: open")).toContain("shop-4");
  }));

test.each([
  ["image", "{ template: shop, image: { dockerfile: Dockerfile } }"],
  ["image of a service", "{ template: shop, external: { db: { image: { dockerfile: Dockerfile } } } }"],
])("[AW5, IM8, SV66] one more agent whose %s is built is made by people", (_, built) =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    await world.http.call("agent.create", { project: "shop", template: built });
    const two = { project: "shop", template: "shop", count: 2 };
    expect(await askTool(world, "agent_scale", two)).toContain("forbidden");
    expect((await world.http.call("agent.scale", two)).agents).toHaveLength(2);
  }),
);

test("[AW11, AW12] there are as many of a template as are wanted", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const scale = (count: number) => world.http.call("agent.scale", { project: "shop", template: "shop", count });
    await expect(scale(2)).rejects.toMatchObject({ code: "not-found" });
    const { agents } = await world.http.call("agent.create", { project: "shop", template, count: 2 });
    expect(agents.map(({ name }) => name)).toEqual(["shop-1", "shop-2"]);
    const more = await scale(4);
    expect(more.agents.map(({ name }) => name)).toEqual(["shop-1", "shop-2", "shop-3", "shop-4"]);
    expect(more.made).toEqual(more.agents.slice(2).map(({ id }) => id));
    const fewer = await scale(2);
    expect(fewer.removed).toEqual(more.made.toReversed());
    expect(fewer.agents).toHaveLength(2);
    await world.http.call("policy.set", { name: "two", rules: { maxAgents: 2 } });
    await expect(scale(3)).rejects.toMatchObject({ code: "policy-denied" });
  }));

const template = "template: shop\nservices: { web: { command: sleep 1000, ports: [http] } }\n";

test("[AG60] a model that makes one too many gets a sentence, and nothing is reserved", () =>
  inFaceWorld(async (world) => {
    const tool = (name: string, given: object): Promise<string> => askTool(world, name, given);
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    await world.http.call("policy.set", { name: "one", rules: { maxAgents: 1 } });
    expect(await tool("agent_create", { project: "shop", template })).toContain("shop-1");
    const refused = await tool("agent_create", { project: "shop", template });
    expect(refused).toContain("policy-denied");
    expect(refused).toContain("does not allow 2 agents, where 1 may be (rule maxAgents)");
    // What a model says of it itself is below what a person has said.
    await tool("policy_set", { name: "more", priority: -1, rules: { maxAgents: 1000 } });
    expect(await tool("agent_create", { project: "shop", template })).toContain("policy-denied");
    expect((await world.http.call("agent.list", {})).agents).toHaveLength(1);
  }));

test("what a service says is asked for before its process has begun: it has said nothing yet", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const { agent: made } = await world.http.call("agent.create", { project: "shop", template });
    const agent = made.id;
    await world.submit({ type: "agent.made", agent, life: 1 });
    const said = await world.http.call("service.output", { agent, service: "web" });
    expect(said).toMatchObject({ life: 1, text: "", size: 0, ended: false });
    expect(world.defects).toEqual([]);
  }));

test("[SV8] limits are raised by people; a model may lower them", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const shop = (whole: string, web: string): string =>
      `{ template: shop, limits: { ${whole} }, services: { web: { command: sleep 9, limits: { ${web} } } } }`;
    const made = shop("memory: 1GiB", "memory: 64MiB, cpu: 1");
    await world.http.call("agent.create", { project: "shop", template: made });
    const isAs = async (template: string): Promise<boolean> =>
      (await world.http.call("agent.reload", { agent: "shop-1", template, dryRun: true })).changes.length === 0;
    const web = { agent: "shop-1", service: "web" };
    const more = shop("memory: 1GiB", "memory: 128MiB");
    for (const answer of [
      await askTool(world, "service_reload", { ...web, template: more }),
      await askTool(world, "agent_reload", { agent: "shop-1", template: more }),
    ]) {
      expect(answer).toContain("forbidden");
      expect(answer).toContain("services.web.limits.memory, services.web.limits.cpu");
    }
    const whole = { agent: "shop-1", template: shop("memory: 2GiB", "memory: 64MiB, cpu: 1") };
    expect(await askTool(world, "agent_reload", whole)).toContain("(limits.memory)");
    expect(await isAs(made)).toBe(true);
    const less = shop("memory: 512MiB", "memory: 32MiB, cpu: 1");
    expect(await askTool(world, "agent_reload", { agent: "shop-1", template: less })).not.toContain("forbidden");
    expect(await askTool(world, "service_scale", { ...web, instances: 1 })).not.toContain("forbidden");
    expect(await isAs(less)).toBe(true);
    await world.http.call("service.reload", { ...web, template: more });
    expect(await isAs(shop("memory: 512MiB", "memory: 128MiB"))).toBe(true);
  }));

test("[AW22] agents are joined by people, by their word or a template; a model may part them", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const joining = { project: "shop", template: "{ template: shop, join: ['*'] }" };
    expect(await askTool(world, "agent_create", joining)).toContain("forbidden");
    await world.http.call("agent.create", { ...joining, count: 2 });
    expect(await askTool(world, "agent_scale", { project: "shop", template: "shop", count: 3 })).toContain("forbidden");
    const { agent } = await world.http.call("agent.get", { agent: "shop-1" });
    expect(agent.joined).toMatchObject([{ agent: "shop-2", by: "templates" }]);
    expect(await askTool(world, "agent_reload", { agent: "shop-1", template: joining.template })).toContain(
      "forbidden",
    );
    expect(await askTool(world, "agent_join", { agent: "shop-1", with: "shop-2" })).not.toContain("joined");
    expect(await askTool(world, "agent_part", { agent: "shop-1", with: "shop-2" })).toContain("shop-1");
    expect((await world.http.call("agent.get", { agent: "shop-2" })).agent.joined).toEqual([]);
    await expect(world.http.call("agent.join", { agent: "shop-1", with: "shop-9" })).rejects.toMatchObject({
      code: "not-found",
    });
  }));

test("[AW18, AW19] an assistant needs a profile that takes a prompt, tools that there are, and no secret in what it is told", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const make = (assistant: string, more: object = {}): Promise<unknown> =>
      world.http.call("agent.create", { project: "shop", template: `{ template: shop, ${assistant} }`, ...more });
    const helper = "assistant: { profile: helper, prompt: Mend it. }";
    await expect(make(helper)).rejects.toMatchObject({ code: "not-found" });
    await world.http.call("profile.set", { name: "helper", settings: { runner: "script" } });
    await expect(make(helper)).rejects.toMatchObject({ code: "bad-input", data: { where: "assistant.profile" } });
    await world.http.call("profile.set", { name: "helper", settings: { runner: "claude" } });
    const dancing = "assistant: { profile: helper, prompt: x, permissions: { deny: [dance] } }";
    await expect(make(dancing)).rejects.toMatchObject({ code: "bad-template" });
    await expect(make("env: {}", { prompt: "Sing." })).rejects.toMatchObject({ data: { where: "prompt" } });
    await world.http.call("secret.set", { name: "STRIPE_KEY", value: "open-sesame-4711" });
    const telling = { prompt: "Use open-sesame-4711." };
    await expect(make(helper, telling)).rejects.toMatchObject({ code: "secret-in-plain" });
    expect((await world.http.call("agent.list", {})).agents).toEqual([]);
    await make(helper, { prompt: "Sing." });
    const { agent } = await world.http.call("agent.get", { agent: "shop-1" });
    expect(agent.assistant).toEqual({ profile: "helper", start: "once", state: "waiting", run: null, because: null });
    expect(world.stateText()).toContain("Sing.");
    await expect(world.http.call("agent.assist", { agent: "shop-1", ...telling })).rejects.toMatchObject({
      code: "secret-in-plain",
    });
  }));

test("[PF12] faces that runs may call are named by people, and as AGENT/FACE", () =>
  inFaceWorld(async (world) => {
    const settings = { runner: "claude", faces: ["shop-*/tools"] };
    expect(await askTool(world, "profile_set", { name: "caller", settings })).toContain("forbidden");
    await world.http.call("profile.set", { name: "caller", settings });
    const bad = { name: "bad", settings: { ...settings, faces: ["tools"] } };
    await expect(world.http.call("profile.set", bad)).rejects.toMatchObject({ code: "bad-input" });
    expect((await world.http.call("profile.get", { name: "caller" })).profile.settings.faces).toEqual(["shop-*/tools"]);
  }));
