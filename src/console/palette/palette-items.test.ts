import { expect, test } from "vitest";
import { makeAgent, makeLease, makeLocks, makeRun, makeService } from "../../../test/support/wire-samples.ts";
import { emptyState, type LiveState } from "../live/live-state.ts";
import { toPaletteItems } from "./palette-items.ts";
import type { Catalogue } from "./setting-items.ts";

const runs = [makeRun("r_1", { title: "Cache the session lookup" }), makeRun("r_2", { state: "review" })];
const agent = makeAgent("a_3", { name: "shop-1", services: [makeService("mailer"), makeService("web")] });
const state: LiveState = {
  ...emptyState,
  link: { is: "live" },
  runs: new Map(runs.map((run) => [run.id, run])),
  agents: new Map([[agent.id, agent]]),
  locks: makeLocks([makeLease("file:src/app.ts", "r_1")], []),
  projects: [{ id: "p_1", name: "track" }] as unknown as LiveState["projects"],
  seq: 900,
};
const catalogue = {
  tasks: [{ id: "t_7", title: "Add a rate limit", projectName: "track" }],
  profiles: [{ name: "careful", settings: { runner: "claude" } }],
  policies: [{ name: "nightly" }],
  runners: [{ name: "acp:goose" }],
  templates: [
    { name: "node-postgres", about: "a web server with its database", project: null },
    { name: "storefront", about: "ours", project: "p_1" },
  ],
  terminals: [{ id: "te_5", window: "eva", run: null, agent: "a_3", agentName: "shop-1", argv: ["htop"], ended: {} }],
} as unknown as Catalogue;
const places = [{ to: { place: "locks" }, label: "Locks", icon: "locks" }] as const;
const find = (typed: string, more: object = {}) =>
  toPaletteItems({ state, places, found: [], catalogue, scope: null, ...more }, typed);

test("everything with a name is found, with the command that does the same", () => {
  expect(find("lks")[0]).toMatchObject({ title: "Locks", command: "signalbox locks" });
  expect(find("session")[0]).toMatchObject({ id: "run r_1", command: "signalbox inspect r_1", scope: { run: "r_1" } });
  expect(find("shop")[0]).toMatchObject({ id: "agent a_3", command: "signalbox agent show shop-1" });
  expect(find("app.ts")[0]).toMatchObject({ title: "file:src/app.ts", detail: "held by r_1 · track" });
  expect(find("zzzz")).toEqual([]);
  // Also a run that is on no list any more.
  expect(find("ancient", { found: [makeRun("r_0", { title: "An ancient one" })] })[0]).toMatchObject({ id: "run r_0" });
});

const inSection = (id: string, item: string | null) => ({ is: "go", to: { place: "section", id, item } });

test("a name that is written whole goes before a longer one", () => {
  expect(find("new run").map(({ title }) => title)).toEqual(expect.arrayContaining(["New run", "New runner"]));
  expect(find("new run")[0]).toMatchObject({ title: "New run", deed: { to: { place: "new-run" } } });
});

test.each([
  ["run", "session lookup", { kind: "Run", deed: { to: { place: "run", id: "r_1" } } }],
  ["agent", "shop-1", { kind: "Agent", deed: { to: { place: "agent", id: "a_3" } } }],
  ["service", "mailer", { kind: "Service", deed: { to: { place: "agent", id: "a_3", service: "mailer" } } }],
  ["project", "track project", { kind: "Project", deed: { to: { project: "track" } } }],
  ["task", "rate limit", { kind: "Task", command: "signalbox task show t_7", deed: inSection("tasks", "t_7") }],
  ["profile", "careful", { kind: "Profile", deed: inSection("profiles", "careful") }],
  ["policy", "nightly", { kind: "Policy", deed: inSection("policies", "nightly") }],
  ["runner", "goose", { kind: "Runner", deed: inSection("runners", "acp:goose") }],
  ["stack", "postgres", { kind: "Stack", deed: inSection("templates", "node-postgres") }],
  ["template", "storefront", { kind: "Template", deed: inSection("templates", "p_1:storefront") }],
  ["recording", "htop", { kind: "Recording", deed: { to: { place: "agent", id: "a_3", recording: "te_5" } } }],
  ["unit", "app.ts", { kind: "Unit", deed: { to: { place: "locks" } } }],
  ["event", "812", { kind: "Event", deed: { to: { place: "events", event: 812 } } }],
  ["place", "locks", { kind: "Place", deed: { to: { place: "locks" } } }],
  ...["projects", "tasks", "profiles", "policies", "runners", "templates", "secrets", "you"].map(
    (id) => ["section", `${id} settings`, { kind: "Settings", deed: inSection(id, null) }] as const,
  ),
] as const)("a %s is found by its name, and leads to its page: %s", (_, typed, first) => {
  expect(find(typed)[0]).toMatchObject(first);
});

test.each([
  ["new agent", { title: "New agent", deed: inSection("templates", null) }],
  ["new profile", { title: "New profile", deed: inSection("profiles", "+") }],
  ["start the demo", { title: "Start the demo", command: "signalbox demo --stay", deed: { is: "demo" } }],
  ["terminal", { title: "Terminal in shop-1", deed: { is: "terminal", of: { agent: "a_3" } } }],
  [
    "restart mailer",
    {
      ...{ title: "Restart mailer of shop-1", command: "signalbox service restart shop-1 mailer" },
      deed: { is: "agent-act", act: { name: "restart" }, service: "mailer" },
    },
  ],
  ["pause", { title: "Pause r_1", command: "signalbox pause r_1", deed: { is: "run-act", run: { id: "r_1" } } }],
  ["pause session", { title: "Pause r_1" }],
])("with nothing selected, %j offers what it can be done to", (typed, first) => {
  expect(find(typed)[0]).toMatchObject(first);
});

test("no two rows are the same one, whatever is typed", () => {
  for (const typed of ["", "s", "re", "stop", "shop", "terminal", "track"]) {
    const ids = find(typed).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test("a thousand agents and as many runs as a page has are gone through while one types", () => {
  const many = Array.from({ length: 1000 }, (_, at) =>
    makeAgent(`a_${at}`, {
      name: `shop-${at}`,
      services: ["web", "db", "queue", "mail"].map((name) => makeService(name)),
    }),
  );
  const crowd = Array.from({ length: 1000 }, (_, at) => makeRun(`r_${at}`, { title: `Change the cart, part ${at}` }));
  const world = {
    state: {
      ...state,
      runs: new Map(crowd.map((run) => [run.id, run])),
      agents: new Map(many.map((each) => [each.id, each])),
    },
  };
  const tookMs = ["restart web 99", "cart 500", "shop", "zzzzzz"].map((typed) => {
    const beganMs = performance.now();
    expect(find(typed, world).length).toBeLessThanOrEqual(60);
    return performance.now() - beganMs;
  });
  // Some ten milliseconds each; ten times that is a machine that is busy with other tests.
  expect(Math.min(...tookMs)).toBeLessThan(200);
});

test("a path that nobody holds leads to its unit all the same, and a word to nothing", () => {
  expect(find("src/cart.ts")).toMatchObject([
    {
      ...{ title: "file:src/cart.ts", detail: "held by nobody · track" },
      deed: { is: "go", to: { place: "locks", unit: "track:file:src/cart.ts" } },
    },
  ]);
  expect(find("src/lib/").map(({ title }) => title)).toEqual(["dir:src/lib"]);
  expect(find("process:bench").map(({ title }) => title)).toEqual(["process:bench"]);
  expect(find("src/app.ts").map(({ title, detail }) => [title, detail])).toEqual([
    ["file:src/app.ts", "held by r_1 · track"],
  ]);
  expect(find("cartzz")).toEqual([]);
});

test("a path is not said to be free where what it lies in is held, or where not everything was read", () => {
  const details = (locks: LiveState["locks"], typed: string): string[] =>
    find(typed, { state: { ...state, locks } }).map(({ detail }) => detail);
  const held = makeLocks([makeLease("dir:src", "r_1"), makeLease("file:lib/a.ts", "r_2")], []);
  expect(details(held, "src/cart.ts")).toEqual(["held by r_1, with dir:src · track"]);
  expect(details(held, "lib/")).toEqual(["held by r_2 · track", "1 held in it · track"]);
  expect(details({ ...held, truncated: true }, "readme.md")).toEqual(["not read yet · track"]);
});

test("a number is an event, and the world after it, as far as there is one", () => {
  expect(find("812").map(({ id }) => id)).toEqual(["event 812", "then 812"]);
  expect(find("#812")[1]).toMatchObject({ command: "signalbox state --at 812 --json", deed: { to: { at: 812 } } });
  expect(find("901")).toEqual([]);
});

test("nothing typed offers places, and first the runs that need somebody", () => {
  const all = find("");
  expect(all[0]?.title).toBe("Locks");
  expect(all.filter(({ kind }) => kind === "Run").map(({ id }) => id)).toEqual(["run r_2", "run r_1"]);
});

test("a thing offers what it allows, with key and command; of the past nothing can be done", () => {
  const acts = find("", { scope: { run: "r_2" } }).filter(({ kind }) => kind === "Act");
  expect(acts.map(({ title, key }) => [title, key])).toContainEqual(["Approve… r_2", "A"]);
  expect(find("reject", { scope: { run: "r_2" } })[0]).toMatchObject({ command: "signalbox reject r_2", key: "X" });
  expect(find("stop", { scope: { agent: "a_3" } })[0]).toMatchObject({ command: "signalbox agent stop shop-1" });
  const past = { ...state, link: { is: "past", seq: 5, atMs: 1 } };
  expect(find("", { state: past, scope: { run: "r_2" } }).filter(({ kind }) => kind === "Act")).toEqual([]);
});
