import { describe, expect, test } from "vitest";
import { AgentWorld, lone, service } from "../../../test/support/agent-world.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import type { AgentSpec } from "./agent-spec.ts";
import { joinedWith, openPortsOf } from "./joins.ts";

class JoinedWorld extends AgentWorld {
  #port = 100;

  up(template: string, more: Partial<AgentSpec> = {}, services = [lone]): string {
    const offered = Array.from({ length: 6 }, () => this.#port++);
    const id = this.create(services, offered, { template, ...more });
    this.made(id);
    return id;
  }

  names(id: string): string[] {
    return joinedWith(this.state, this.agent(id)).map(({ name }) => name);
  }

  join(agent: string, other: string, across = false): void {
    this.ok({ type: "agent.join", agent, with: other, across });
  }

  /** What its machine was last asked to do about joins, by agent. */
  joinsToDo(): Record<string, string> {
    const acts = this.pending().filter(({ type }) => type === "join");
    return Object.fromEntries(
      acts.map(({ id }) => [id.split("@")[0]?.slice(5) ?? "", id.split(":").slice(2).join(":")]),
    );
  }
}

describe("joined agents", () => {
  test("[AW21] are joined by a person's word, both ways, until that parts them or one is gone", () => {
    const world = new JoinedWorld();
    const [shop, db, other] = [world.up("shop"), world.up("db"), world.up("other")];
    expect(world.names(shop)).toEqual([]);
    world.join(shop, db);
    expect([world.names(shop), world.names(db), world.names(other)]).toEqual([["db-1"], ["shop-1"], []]);
    // Nobody is joined to whom another one is joined to.
    world.join(db, other);
    expect(world.names(shop)).toEqual(["db-1"]);
    const { seq } = world.state;
    world.join(shop, db);
    expect(world.state.seq).toBe(seq);
    expect(fromPlain(toPlain(world.state)).agents.get(db)).toEqual(world.agent(db));
    world.ok({ type: "agent.part", agent: db, with: shop });
    expect([world.names(shop), world.names(db)]).toEqual([[], ["other-1"]]);
    expect(world.no({ type: "agent.part", agent: db, with: shop })).toMatchObject({ kind: "join" });
    world.ok({ type: "agent.remove", agent: other, force: true });
    world.gone(other);
    expect(world.names(db)).toEqual([]);
    expect(world.agent(db).joins.has(other)).toBe(false);
  });

  test("[AW21] are joined by their templates only where both name the other, and a person may part them", () => {
    const world = new JoinedWorld();
    const shop = world.up("shop", { join: ["db-1", "cache-*"] });
    const shy = world.up("db");
    expect(world.names(shop)).toEqual([]);
    const cache = world.up("cache", { join: ["shop-*"] });
    expect([world.names(shop), world.names(cache), world.names(shy)]).toEqual([["cache-1"], ["shop-1"], []]);
    world.ok({ type: "agent.part", agent: shop, with: cache });
    expect(world.names(cache)).toEqual([]);
    world.join(cache, shop);
    expect(world.names(shop)).toEqual(["cache-1"]);
    const { spec } = world.agent(shy);
    world.ok({ type: "agent.reload", agent: shy, spec: { ...spec, join: ["shop-1"] }, offered: [] });
    expect(world.names(shop)).toEqual(["db-1", "cache-1"]);
  });

  test("[AW22] are of one project, unless a person says otherwise", () => {
    const world = new JoinedWorld();
    const shop = world.up("shop", { join: ["*"] });
    const project = world.project({ name: "elsewhere", root: "/srv/elsewhere" });
    const asked = world.asked([lone], { template: "far", join: ["*"] }, [900, 901]);
    const answer = world.ok({ ...asked, project });
    const far = answer.of === "ids" ? (answer.ids[0] ?? "") : "";
    expect(world.names(shop)).toEqual([]);
    const wish = { type: "agent.join", agent: shop, with: far, across: false } as const;
    expect(world.no(wish)).toMatchObject({ code: "not-found", kind: "agent of this project" });
    expect(world.no({ ...wish, with: shop })).toMatchObject({ kind: "other agent" });
    world.join(shop, far, true);
    expect(world.names(shop)).toEqual(["far-1"]);
  });

  test("[AW23] see the ports of services, of several instances the shared ones; what is archived is not seen", () => {
    const world = new JoinedWorld();
    const shop = world.up("shop");
    const many = world.up("many", {}, [service("web", { instances: 2 }), service("idle", { ports: [] })]);
    world.join(shop, many);
    expect(openPortsOf(world.agent(many)).map(({ service: name, port }) => [name, port])).toEqual([["web", "main"]]);
    world.ok({ type: "agent.archive", agent: many, force: true });
    world.gone(many);
    expect([world.names(shop), world.names(many)]).toEqual([[], []]);
    world.ok({ type: "agent.restore", agent: many, offered: [] });
    expect(world.names(shop)).toEqual(["many-1"]);
  });

  test("[AW24] whoever keeps them is told of each change, and of everything again after a restart", () => {
    const world = new JoinedWorld();
    const [shop, db] = [world.up("shop"), world.up("db")];
    expect(world.joinsToDo()).toEqual({});
    world.acts();
    world.join(shop, db);
    const [port] = openPortsOf(world.agent(db)).map(({ number }) => number);
    const [own] = openPortsOf(world.agent(shop)).map(({ number }) => number);
    expect(world.acts()).toMatchObject([
      { type: "join", agent: shop },
      { type: "join", agent: db },
    ]);
    expect(world.joinsToDo()).toEqual({ [shop]: `${db}:${port}`, [db]: `${shop}:${own}` });
    // Nothing leads to one that is stopped, until it is started again.
    world.ok({ type: "agent.stop", agent: db, force: true });
    expect(world.joinsToDo()[shop]).toBe(`${db}:${port}`);
    world.acts();
    world.gone(db);
    expect(world.acts().filter(({ type }) => type === "join")).toMatchObject([{ agent: shop }]);
    expect(world.joinsToDo()).toEqual({ [shop]: `${db}:` });
    world.ok({ type: "agent.start", agent: db });
    expect(world.acts().filter(({ type }) => type === "join")).toMatchObject([{ agent: shop }]);
    expect(world.joinsToDo()).toEqual({ [shop]: `${db}:${port}` });
    world.made(db);
    world.acts();
    world.ok({ type: "agent.remove", agent: db, force: true });
    world.gone(db);
    expect(world.acts().filter(({ type }) => type === "join")).toMatchObject([{ agent: shop }]);
    expect(world.joinsToDo()).toEqual({ [shop]: "" });
    const { spec } = world.agent(shop);
    const cache = world.up("cache", { join: ["shop-1"] });
    world.ok({ type: "agent.reload", agent: shop, spec: { ...spec, join: ["cache-1"] }, offered: [] });
    expect(world.joinsToDo()[shop]).toContain(cache);
    // Also where its template names nobody any more, its keeper has to hear of it.
    world.ok({ type: "agent.reload", agent: shop, spec, offered: [] });
    expect(world.joinsToDo()).toEqual({ [shop]: "", [cache]: "" });
  });
});
