import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { search } from "../../../test/support/search.ts";
import type { AgentSpec as CoreSpec } from "../../core/agent/agent-spec.ts";
import * as core from "../../core/agent/agent-spec.ts";
import { referencesIn as coreReferencesIn } from "../../core/agent/references.ts";
import {
  type AgentSpec,
  assistantStarts,
  faceKinds,
  type FaceSpec,
  type HealthCheck,
  healthDefaults,
  hookNames,
  needKinds,
  recoveryDefaults,
  recoveryRungs,
  restartDefaults,
  restartPolicies,
  type ServiceSpec,
  stopDefaults,
  envSignals,
  stopSignals,
  workspaceKinds,
} from "./agent-spec.ts";
import { egressKinds } from "../wire/egress.ts";
import { makeTemplateSchema } from "./published-schema.ts";
import { readTemplate } from "./read-template.ts";
import { referencesIn } from "./references.ts";
import { writeTemplate } from "./write-template.ts";
import { shiftsOf } from "./zone.ts";

const name = fc
  .stringMatching(/^[a-z][a-z0-9-]{0,38}[a-z0-9]?$/)
  .filter((text) => !text.endsWith("-") && !["self", "agent"].includes(text));
const variable = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/);

/** Texts that YAML might take for something else, and any others without references. */
const words = fc
  .oneof(
    fc.constantFrom(
      "",
      " ",
      "true",
      "null",
      "~",
      "1.10",
      "- a",
      "a: b",
      "# a",
      "'",
      '"',
      "&a",
      "*a",
      "!!x",
      "|",
      ">\n",
      "a\n b\n",
    ),
    fc.string({ unit: "grapheme", maxLength: 40 }),
  )
  .filter((text) => !/\0|\$\{/.test(text) && text.isWellFormed());
const someWords = words.filter((text) => text !== "");
const oneLine = someWords.filter((text) => /^[^\p{Cc}\u2028\u2029]*$/u.test(text));

/** Whole seconds as often as anything else, where there is room for them. */
const ms = (min: number, max: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min, max }), fc.boolean())
    .map(([any, isWhole]) => (isWhole && any - (any % 1000) >= min ? any - (any % 1000) : any));

const argv = fc.oneof(
  fc.tuple(someWords, fc.array(words, { maxLength: 4 })).map(([program, rest]) => [program, ...rest]),
  someWords.map((text) => ["/bin/sh", "-c", text]),
);
const secret = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,20}$/).map((text) => ({ secret: text }));
const env = fc.dictionary(
  variable.filter((text) => text !== "__proto__"),
  fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: secret }),
  { maxKeys: 5, noNullPrototype: true },
);
const folder = fc
  .array(
    oneLine.filter((part) => !part.includes("/") && part !== "." && part !== ".."),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join("/"));

function healthOf(ports: readonly string[]): fc.Arbitrary<HealthCheck | null> {
  const port = fc.nat().map((at) => ports[at % ports.length]!);
  const timed = ms(100, 3_600_000).chain((intervalMs) =>
    fc.record({
      intervalMs: fc.constant(intervalMs),
      timeoutMs: ms(10, intervalMs),
      retries: fc.integer({ min: 1, max: 100 }),
      startPeriodMs: ms(0, 3_600_000),
    }),
  );
  const path = oneLine.map((text) => `/${text}`);
  const probe = fc.oneof(
    fc.record({ kind: fc.constant("command" as const), argv }),
    ...(ports.length === 0
      ? []
      : [
          fc.record({ kind: fc.constant("http" as const), port, path }),
          fc.record({ kind: fc.constant("tcp" as const), port }),
        ]),
  );
  const line = fc.record({ text: someWords, startPeriodMs: ms(0, 3_600_000) });
  return fc.oneof(
    fc.constant(null),
    fc.tuple(probe, timed).map(([first, second]) => ({ ...first, ...second })),
    line.map((said) => ({ ...healthDefaults, kind: "log" as const, ...said })),
  );
}

const restart = ms(0, 3_600_000).chain((delayMsMax) =>
  fc.record({
    policy: fc.constantFrom(...restartPolicies),
    delayMs: ms(0, delayMsMax),
    delayMsMax: fc.constant(delayMsMax),
    limit: fc.integer({ min: 1, max: 1000 }),
    windowMs: ms(1000, 86_400_000),
  }),
);

/** Null where nothing is limited. */
const limits = fc
  .record({
    memoryBytes: fc.oneof(fc.constant(null), fc.integer({ min: 4 * 1024 ** 2, max: 2 ** 40 })),
    cpu: fc.oneof(fc.constant(null), fc.double({ min: 0.01, max: 1024, noNaN: true })),
    processes: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 4096 })),
    files: fc.oneof(fc.constant(null), fc.integer({ min: 16, max: 1_048_576 })),
  })
  .chain((all) =>
    all.memoryBytes === null
      ? fc.constant(all)
      : fc
          .option(fc.integer({ min: all.memoryBytes, max: 2 ** 40 }))
          .map((memoryBytesMax) => (memoryBytesMax === null ? all : { ...all, memoryBytesMax })),
  )
  .map((all) => (Object.values(all).every((each) => each === null) ? null : all));

const lonely: fc.Arbitrary<Omit<ServiceSpec, "name" | "kind" | "needs">> = fc
  .uniqueArray(name, { maxLength: 3 })
  .chain((ports) =>
    fc.record({
      argv,
      cwd: fc.oneof(fc.constant(null), folder),
      env,
      ports: fc.constant(ports),
      health: healthOf(ports),
      restart,
      stop: fc.record({ signal: fc.constantFrom(...stopSignals), graceMs: ms(0, 600_000) }),
      limits,
      instances: fc.integer({ min: 1, max: 32 }),
      overlap: fc.boolean(),
      envSignal: fc.option(fc.constantFrom(...envSignals)),
      watch: fc.option(fc.constantFrom(["src/**"], ["*.js", "web/**/*.ts"])),
      logs: fc.oneof(
        fc.constant(null),
        fc.record({ maxBytes: fc.integer({ min: 65_536, max: 1024 ** 3 }), keep: fc.integer({ min: 1, max: 100 }) }),
      ),
    }),
  )
  .map(({ limits: own, logs, instances, overlap, envSignal, watch, ...rest }) => ({
    ...rest,
    ...(envSignal === null ? {} : { envSignal }),
    ...(own === null ? {} : { limits: own }),
    ...(logs === null ? {} : { logs }),
    ...(instances === 1 ? {} : { instances }),
    ...(watch === null ? {} : { watch }),
    ...(overlap && rest.health !== null ? { overlap: true as const } : {}),
  }));

/** Now and then with an image of its own. */
const placed = fc
  .tuple(
    lonely,
    fc.option(
      fc.record({
        image: fc.constantFrom({ name: "docker.io/library/postgres:16" }, { dockerfile: "db/Dockerfile" }),
        entrypoint: fc.option(fc.array(words, { maxLength: 3 })),
        data: fc.option(fc.constantFrom(["/data"], ["/var/lib/db", "/var/log"])),
        isSeeing: fc.boolean(),
        isSilent: fc.boolean(),
      }),
      { freq: 3 },
    ),
  )
  .map(([service, own]): Omit<ServiceSpec, "name" | "kind" | "needs"> => {
    if (own === null) return service;
    const { image, entrypoint, data, isSeeing, isSilent } = own;
    const isAlone = service.instances === undefined && service.overlap === undefined;
    return {
      ...service,
      image,
      argv: isSilent && entrypoint?.length !== 0 ? [] : service.argv,
      ...(entrypoint === null ? {} : { entrypoint }),
      ...(data === null || !isAlone ? {} : { data }),
      ...(isSeeing ? { workspace: true } : { cwd: null }),
    };
  });

const faceName = fc.stringMatching(/^[a-z][a-z0-9]{0,15}$/);
type WishedFace = Omit<FaceSpec, "service" | "port"> & { readonly at: number };
const wishedFaces: fc.Arbitrary<WishedFace[]> = fc.uniqueArray(
  fc.record({
    name: faceName,
    at: fc.nat(),
    path: fc.webPath().map((path) => `/${path.replace(/^[/\\]+/, "")}`),
    kind: fc.constantFrom(...faceKinds),
    title: fc.oneof(fc.constant(null), oneLine),
  }),
  { maxLength: 4, selector: ({ name: own }) => own },
);

/** Each on some port of some service, where there is one. */
function facesOn(services: readonly ServiceSpec[], wished: readonly WishedFace[]): FaceSpec[] {
  const ports = services.flatMap(({ name: service, ports: all }) => all.map((port) => ({ service, port })));
  if (ports.length === 0) return [];
  return wished.map(({ at, ...face }) => ({ ...face, ...ports[at % ports.length]! }));
}

const hook = fc.record({ argv, cwd: fc.oneof(fc.constant(null), folder), timeoutMs: ms(1000, 3_600_000) });
const hooks: fc.Arbitrary<NonNullable<AgentSpec["hooks"]>> = fc
  .constantFrom(...hookNames)
  .chain((first) =>
    fc
      .record({ setup: hook, ready: hook, archive: hook }, { requiredKeys: [first], noNullPrototype: true })
      .map((all) =>
        Object.fromEntries(hookNames.flatMap((each) => (all[each] === undefined ? [] : [[each, all[each]]]))),
      ),
  );
const tools = fc.uniqueArray(fc.constantFrom("read_file", "run_command", "finish"), { minLength: 1 });
const assistant: fc.Arbitrary<NonNullable<AgentSpec["assistant"]>> = fc
  .record({
    profile: fc.constantFrom("careful", "fast"),
    prompt: someWords.filter((text) => text.trim() !== ""),
    start: fc.constantFrom(...assistantStarts),
    permissions: fc.option(
      fc.oneof(
        fc.record({ allow: tools, deny: fc.constant<string[]>([]) }),
        fc.record({ allow: fc.constant(null), deny: tools }),
      ),
    ),
  })
  .map(({ permissions, ...rest }) => ({ ...rest, ...(permissions === null ? {} : { permissions }) }));
const host = fc.constantFrom("developer", "example.org", "*.example.org:8443", "10.0.0.1:5432");
const egress: fc.Arbitrary<NonNullable<AgentSpec["egress"]>> = fc.oneof(
  fc.record({ kind: fc.constantFrom(...egressKinds), allow: fc.constant(null) }),
  fc.record({ kind: fc.constant("list" as const), allow: fc.array(host, { minLength: 1, maxLength: 3 }) }),
);
const image: fc.Arbitrary<NonNullable<AgentSpec["image"]>> = fc.oneof(
  fc.constant("none" as const),
  fc.record({ name: fc.constantFrom("node:24", "docker.io/library/node:24") }),
  fc.record({ dockerfile: fc.constantFrom("Dockerfile", "docker/Dockerfile") }),
);

const recovery: fc.Arbitrary<NonNullable<AgentSpec["recovery"]>> = ms(0, 3_600_000).chain((delayMsMax) =>
  fc.record({
    rungs: fc.subarray([...recoveryRungs]),
    tries: fc.integer({ min: 1, max: 10 }),
    delayMs: ms(0, delayMsMax),
    delayMsMax: fc.constant(delayMsMax),
    resetMs: ms(60_000, 86_400_000),
  }),
);
const alerts: fc.Arbitrary<NonNullable<AgentSpec["alerts"]>> = fc.record({
  rung: fc.constant(null),
  restarts: fc.integer({ min: 1, max: 1000 }),
  unwellMs: fc.option(ms(1000, 86_400_000)),
});

function toScheduled(service: Omit<ServiceSpec, "name" | "kind" | "needs">, zone: string): typeof service {
  const { instances: _, overlap: _no, watch: _none, ...rest } = service;
  const { policy } = service.restart;
  const own = { ...service.restart, policy: policy === "always" ? "on-failure" : policy };
  return { ...rest, health: null, restart: own, schedule: { cron: "5 4 * * mon", zone, shifts: shiftsOf(zone) } };
}

/** Every service that a template can say: external ones first, needs to the left, applications on all that is external. */
const specs: fc.Arbitrary<AgentSpec> = fc
  .record({
    template: name,
    project: fc.option(fc.constantFrom("shop", "p_1a", "1.10", "true", "null", "0x1"), { nil: undefined }),
    workspace: fc.option(fc.constantFrom(...workspaceKinds), { nil: undefined }),
    env: fc.dictionary(
      variable.filter((text) => text !== "__proto__"),
      fc.oneof(
        words,
        secret,
        fc.record({ generate: fc.constant("hex" as const), bytes: fc.integer({ min: 1, max: 256 }) }),
      ),
      { maxKeys: 5, noNullPrototype: true },
    ),
    names: fc.uniqueArray(name, { maxLength: 5 }),
    externals: fc.nat(5),
    services: fc.array(placed, { minLength: 5, maxLength: 5 }),
    faces: wishedFaces,
    hooks: fc.option(hooks, { nil: undefined }),
    assistant: fc.option(assistant, { nil: undefined }),
    join: fc.option(fc.uniqueArray(fc.constantFrom("db-1", "shop-*", "*"), { minLength: 1 }), { nil: undefined }),
    egress: fc.option(egress, { nil: undefined }),
    image: fc.option(image, { nil: undefined }),
    recovery: fc.option(recovery, { nil: undefined }),
    alerts: fc.option(alerts, { nil: undefined }),
    wishes: fc.array(fc.nat(1000), { minLength: 25, maxLength: 25 }),
    zones: fc.array(fc.option(fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu")), {
      minLength: 5,
      maxLength: 5,
    }),
  })
  .map(({ template, env: agentEnv, names, externals, services, faces, wishes, zones, ...place }) => {
    const made: ServiceSpec[] = [];
    for (const [at, own] of names.entries()) {
      const isExternal = at < externals;
      const needs = made.flatMap((other, before) => {
        const wish = wishes[at * 5 + before] ?? 0;
        if (other.schedule !== undefined) return [];
        if (wish % 2 === 0 && (isExternal || other.kind === "application")) return [];
        const able = needKinds.filter(
          (until) =>
            until === "started" || (until === "healthy" ? other.health !== null : other.restart.policy !== "always"),
        );
        return [{ service: other.name, until: able[wish % able.length]! }];
      });
      const zone = isExternal ? null : (zones[at] ?? null);
      const service = zone === null ? services[at]! : toScheduled(services[at]!, zone);
      made.push({ ...service, name: own, kind: isExternal ? "external" : "application", needs });
    }
    const canHaveFaces = !template.startsWith("xn--");
    const said = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
    return { template, env: agentEnv, services: made, faces: canHaveFaces ? facesOn(made, faces) : [], ...said };
  });

describe("templates", () => {
  test("[AG3] whatever an agent may be made of, written as a template and read, is the same", () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const text = writeTemplate(spec);
        const read = readTemplate(text, { file: "a.yaml" });
        expect(read.ok ? read.spec : { text, problems: read.problems }).toEqual(spec);
      }),
      search(200),
    );
  });

  test("[AG9] whatever the reader writes fits the published schema", () => {
    const check = new AjvJsonSchemaValidator().getValidator(makeTemplateSchema());
    fc.assert(
      fc.property(specs, (spec) => {
        expect(check(parse(writeTemplate(spec)))).toMatchObject({ valid: true });
      }),
      search(100),
    );
    const web = (rest: string): string => `{ template: t, services: { web: { command: x, ${rest} } } }`;
    const tops = ["{}", "template: A", "{ template: t, env: { 1A: x } }", "{ template: t, services: { a: {} } }"];
    const webs = ["x: 1", "ports: [80]", "health: { log: a, tcp: b }", "restart: maybe", "stop: { grace: 5 }"].map(web);
    expect([...tops, ...webs].filter((bad) => check(parse(bad)).valid)).toEqual([]);
  });

  const scraps = [
    ...[
      "template: t",
      "services:",
      "external: { a: { command: x } }",
      "  web:",
      "    command: [a, *a]",
      "    ports: &a [http]",
    ],
    ...[
      "    health: { http: / }",
      "    depends_on: [web, web]",
      "env: &e { A: *e }",
      "    restart: { delay: 1s }",
      "\t",
      "---",
    ],
    ...[
      "? ",
      "- ",
      "{",
      "[",
      "'",
      '"',
      ": ",
      "<<: *a",
      "%YAML 1.2",
      "!!set",
      "|",
      "    env: { A: ${web.port} }",
      "faces: { page: { service: web, port: [http] } }",
      "#",
      "\u0000",
    ],
  ];

  test("[AG3] nothing that anybody writes makes the reader fall over", () => {
    const wild = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json().map((text) => `template: t\nservices: ${text}`),
      fc.json().map((text) => `template: t\nservices: { web: ${text} }`),
      fc.json().map((text) => `template: t\nservices: { web: { command: x, health: ${text}, ports: ${text} } }`),
      fc.array(fc.constantFrom(...scraps), { maxLength: 20 }).map((lines) => lines.join("\n")),
      fc
        .tuple(fc.constantFrom("- ", "? ", "[", "{a: ", "- ? "), fc.integer({ min: 1, max: 10_000 }))
        .map(([scrap, times]) => scrap.repeat(times)),
      fc.tuple(specs, fc.nat(), fc.constantFrom(...scraps)).map(([spec, at, scrap]) => {
        const text = writeTemplate(spec);
        const place = at % (text.length + 1);
        return `${text.slice(0, place)}${scrap}${text.slice(place)}`;
      }),
    );
    fc.assert(
      fc.property(wild, (text) => {
        const read = readTemplate(text, { file: "a.yaml" });
        const found = read.ok ? read.warnings : read.problems;
        expect(read.ok || found.length > 0).toBe(true);
        for (const { line, column, message } of found) {
          expect(Math.min(line, column)).toBeGreaterThan(0);
          expect(message).toMatch(/^[^a-z][^]*[.?]$/);
        }
      }),
      search(150),
    );
  });
});

describe("what the core says too", () => {
  test("[AG3] what a template is read into is what an agent is made of", () => {
    const toCore = (spec: AgentSpec): CoreSpec => spec;
    const fromCore = (spec: CoreSpec): AgentSpec => spec;
    expect(fromCore(toCore({ template: "t", env: {}, services: [], faces: [] }))).toEqual({
      template: "t",
      env: {},
      services: [],
      faces: [],
    });
    expect({ restartDefaults, healthDefaults, recoveryDefaults, stopDefaults, stopSignals }).toEqual({
      recoveryDefaults: core.recoveryDefaults,
      restartDefaults: core.restartDefaults,
      healthDefaults: core.healthDefaults,
      stopDefaults: core.stopDefaults,
      stopSignals: core.stopSignals,
    });
  });

  test("[AG7] references are the same to both", () => {
    const parts = fc.constantFrom(
      "${",
      "}",
      ".",
      "db",
      "self",
      "agent",
      "port",
      "ports",
      "url",
      "urls",
      "name",
      "id",
      "$",
      "A-b_1",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
        const text = list.join("");
        expect(referencesIn(text).map(({ text: whole, reference }) => ({ text: whole, reference }))).toEqual(
          coreReferencesIn(text),
        );
      }),
      search(500),
    );
    expect(referencesIn("${db.ports.sql} ${agent.id} $HOME ${A}")).toHaveLength(2);
  });
});
