import { describe, expect, test } from "vitest";
import type { AgentSpec, ServiceSpec } from "./agent-spec.ts";
import { readTemplate } from "./read-template.ts";

const file = "signalbox.yaml";

function specOf(text: string): AgentSpec {
  const read = readTemplate(text, { file });
  if (!read.ok) throw new Error(read.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
  return read.spec;
}

function serviceOf(text: string, name = "web"): ServiceSpec {
  return specOf(text).services.find((service) => service.name === name)!;
}

/** `LINE PATH: MESSAGE` of everything that is wrong. */
function problemsOf(text: string): string[] {
  const read = readTemplate(text, { file });
  return read.ok ? [] : read.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

function warningsOf(text: string): string[] {
  const read = readTemplate(text, { file });
  return read.ok ? read.warnings.map(({ line, path, message }) => `${line} ${path}: ${message}`) : ["not ok"];
}

const shop = `
template: shop
env:
  NODE_ENV: development
  SESSION_KEY: { generate: hex, bytes: 16 }
  OTHER_KEY: { generate: hex }
external:
  db:
    command: [postgres, -p, "\${self.port}"]
    ports: [sql]
    health: { tcp: sql }
services:
  web:
    command: npm run dev -- --port \${self.port}
    cwd: ./web/
    env: { DATABASE_URL: "postgres://127.0.0.1:\${db.port}/app" }
    ports: [http]
    depends_on: { db: started }
    health: { http: /health, interval: 1m30s, timeout: 2s, retries: 7, start_period: 0s }
    restart: { policy: on-failure, delay: 1s, max_delay: 2s, limit: 3, window: 1h }
    stop: { signal: INT, grace: 1.5s }
  worker:
    command: node worker.js
`;

describe("a template", () => {
  test("[AG3] is read with everything that it says, and every default", () => {
    const restart = { policy: "always", delayMs: 100, delayMsMax: 30_000, limit: 5, windowMs: 60_000 };
    const stop = { signal: "TERM", graceMs: 10_000 };
    expect(specOf(shop)).toEqual({
      template: "shop",
      env: {
        NODE_ENV: "development",
        SESSION_KEY: { generate: "hex", bytes: 16 },
        OTHER_KEY: { generate: "hex", bytes: 32 },
      },
      services: [
        {
          name: "db",
          kind: "external",
          argv: ["postgres", "-p", "${self.port}"],
          cwd: null,
          env: {},
          needs: [],
          ports: ["sql"],
          health: { kind: "tcp", port: "sql", intervalMs: 5000, timeoutMs: 2000, retries: 3, startPeriodMs: 30_000 },
          restart,
          stop,
        },
        {
          name: "web",
          kind: "application",
          argv: ["/bin/sh", "-c", "npm run dev -- --port ${self.port}"],
          cwd: "web",
          env: { DATABASE_URL: "postgres://127.0.0.1:${db.port}/app" },
          needs: [{ service: "db", until: "started" }],
          ports: ["http"],
          health: {
            ...{ kind: "http", port: "http", path: "/health" },
            ...{ intervalMs: 90_000, timeoutMs: 2000, retries: 7, startPeriodMs: 0 },
          },
          restart: { policy: "on-failure", delayMs: 1000, delayMsMax: 2000, limit: 3, windowMs: 3_600_000 },
          stop: { signal: "INT", graceMs: 1500 },
        },
        {
          name: "worker",
          kind: "application",
          argv: ["/bin/sh", "-c", "node worker.js"],
          ...{ cwd: null, env: {}, needs: [{ service: "db", until: "healthy" }], ports: [], health: null },
          restart,
          stop,
        },
      ],
      faces: [],
    });
    expect(warningsOf(shop)).toEqual([]);
  });

  test("[AG3] may have no services at all", () => {
    expect(specOf("template: bare")).toEqual({ template: "bare", env: {}, services: [], faces: [] });
  });

  test("[AG8] has checks of every kind, and defaults that give way to what was said", () => {
    const checkOf = (health: string): unknown =>
      serviceOf(`template: t\nservices: { web: { command: x, ports: [a, b], health: ${health} } }`).health;
    expect(checkOf("{ http: { port: b } }")).toMatchObject({ kind: "http", port: "b", path: "/" });
    expect(checkOf("{ tcp: a, interval: 1s }")).toMatchObject({ kind: "tcp", intervalMs: 1000, timeoutMs: 1000 });
    expect(checkOf("{ command: pg_isready }")).toMatchObject({ argv: ["/bin/sh", "-c", "pg_isready"] });
    expect(checkOf("{ command: [true, 1.10] }")).toMatchObject({ argv: ["true", "1.10"] });
    expect(checkOf("{ log: 8080 }")).toMatchObject({ kind: "log", text: "8080" });
    const delaysOf = (restart: string): unknown =>
      serviceOf(`template: t\nservices: { web: { command: x, restart: ${restart} } }`).restart;
    expect(delaysOf("{ delay: 1m }")).toMatchObject({ delayMs: 60_000, delayMsMax: 60_000 });
    expect(delaysOf("{ max_delay: 50ms }")).toMatchObject({ delayMs: 50, delayMsMax: 50 });
    expect(delaysOf("never")).toMatchObject({ policy: "never", delayMs: 100 });
  });

  test("[AG5] has texts as they were written, also where YAML sees numbers and truths", () => {
    const text = `
template: t
env: { A: 1.10, B: 0x1f, C: yes, D: true, E: "", F: &f 007, G: *f }
services:
  web: { command: [node, --port, 3000, false, 1e3], env: { A: 1_000, B: .5 } }
  true: { command: true }
`;
    expect(specOf(text).env).toEqual({ A: "1.10", B: "0x1f", C: "yes", D: "true", E: "", F: "007", G: "007" });
    expect(serviceOf(text)).toMatchObject({
      argv: ["node", "--port", "3000", "false", "1e3"],
      env: { A: "1_000", B: ".5" },
    });
    expect(serviceOf(text, "true").argv).toEqual(["/bin/sh", "-c", "true"]);
  });

  test("[AG6] adds what is external to the needs of every application service that does not name it", () => {
    const text = `
template: t
external:
  queue: { command: x }
  db: { command: x, health: { log: ready }, depends_on: [queue] }
services:
  web: { command: x, depends_on: [migrate, queue] }
  migrate: { command: x, restart: on-failure }
`;
    expect(serviceOf(text, "db").needs).toEqual([{ service: "queue", until: "started" }]);
    expect(serviceOf(text).needs).toEqual([
      { service: "migrate", until: "started" },
      { service: "queue", until: "started" },
      { service: "db", until: "healthy" },
    ]);
    expect(serviceOf(text, "migrate").needs).toEqual([
      { service: "queue", until: "started" },
      { service: "db", until: "healthy" },
    ]);
  });

  test("[AG2] is told everything that is wrong at once, by file, line and column, in order", () => {
    const text = `template: Shop
services:
  web:
    comand: npm start
    ports: [http, http]
    health: { http: /, timeout: 10s, retries: 0 }
    restart: sometimes
  worker: { command: x, depends_on: { webb: started } }
`;
    const read = readTemplate(text, { file });
    expect(read.ok).toBe(false);
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^1 template: A name has lower case letters.*; given was "Shop"\.$/),
      '4 services.web.comand: There is no key "comand" here. Did you mean command?',
      '5 services.web.ports[1]: The port "http" is there twice. Give one of them another name.',
      "6 services.web.health.http: The service web has several ports. Say which: http: { port: http, path: / }.",
      "6 services.web.health.timeout: A check would take longer than the time to the next one, which is 5s. Make the timeout shorter or the interval longer.",
      "6 services.web.health.retries: At least one check has to fail until it counts as unhealthy; given was 0.",
      '7 services.web.restart: It is always, on-failure, never, or an object with policy, delay, max_delay, limit and window; given was "sometimes".',
      '8 services.worker.depends_on.webb: There is no service "webb" to wait for. Did you mean web?',
    ]);
    const columns = read.ok ? [] : read.problems.map(({ column }) => column);
    expect(columns).toEqual([11, 5, 19, 21, 33, 47, 14, 45]);
    expect(read.ok ? [] : read.problems.map((problem) => problem.file)).toEqual(columns.map(() => file));
  });

  test("[AG2] is not told a mistake again as its consequence", () => {
    const text = `
template: t
service: { db: { command: x, ports: [sql], health: { tcp: sql } } }
external:
  queue: { command: x, port: [amqp], helth: { tcp: amqp } }
services:
  web: { command: "x \${queue.port}", depends_on: { queue: healthy, db: healthy } }
  one-off: { command: x, restart: { policy: sometimes } }
  last: { command: x, depends_on: { one-off: completed } }
`;
    expect(problemsOf(text)).toEqual([
      '3 service: There is no key "service" here. Did you mean services?',
      '5 external.queue.port: There is no key "port" here. Did you mean ports?',
      '5 external.queue.helth: There is no key "helth" here. Did you mean health?',
      '8 services.one-off.restart.policy: It is one of always, on-failure, never; given was "sometimes".',
    ]);
  });

  test("[AG2] has a hundred problems at most", () => {
    const text = `template: t\nservices:\n${Array.from({ length: 500 }, (_, at) => `  S${at}: { command: x }`).join("\n")}`;
    expect(problemsOf(text)).toHaveLength(100);
  });
});

const web = (rest: string): string => `template: t\nservices: { web: { command: x, ${rest} } }`;

describe("what is refused", () => {
  test.each([
    ["an empty file", "", "1 : There is nothing in it. Begin with `template: NAME`"],
    ["nothing but a comment", "# later", "1 : There is nothing in it."],
    ["a text", "just words", "1 : A template is a mapping, and this is none."],
    ["a list", "- a", "1 : A template is a mapping, and this is none."],
    ["bytes", "a\0b", "1 : This is no text: there is a NUL in it."],
    [
      "too much",
      `template: t\n# ${"ä".repeat(33_000)}`,
      "1 : It is too large: 66014 bytes, and a template has at most 65536.",
    ],
    ["a tab", "template: t\nservices:\n\tweb: x", "3 : YAML is indented by spaces, never by tabs."],
    ["two documents", "template: t\n---\ntemplate: u", "2 : A second document begins here, and a template is one."],
    ["a bracket that is not closed", "template: t\nenv: {", "2 : This is not YAML: "],
    ["a tag", "template: !!js/function x", "1 : There are no tags in a template."],
    ["a directive", "%FOO\n---\ntemplate: t", "1 : There are no directives in a template."],
    ["the same key twice", "template: t\ntemplate: u", '2 template: The key "template" is there twice.'],
    ["the same variable twice", "template: t\nenv:\n  A: 1\n  A: 2", '4 env.A: The key "A" is there twice.'],
    ["a key that is no text", "template: t\n? [a]\n: b", "1 : A key is a plain text."],
    ["merged keys", "template: t\nenv:\n  <<: { A: b }", "3 env.<<: Keys are not merged here."],
    ["a name that is none", "template: t\nenv: { __proto__: x }", "2 env.__proto__: This name cannot be used."],
    ["an alias of nothing", "template: *x", "1 template: Nothing is called &x above."],
    ["deep brackets", `template: ${"[".repeat(2000)}`, "1 : It is nested too deeply."],
    ["deep dashes", `template: t\nenv:\n  ${"- ".repeat(20_000)}x`, "3 : It is nested too deeply."],
    ["an alias inside what it names", "template: t\nenv: &e { A: *e }", "2 env.A.A.A"],
  ])("[AG1] %s", (_, text, start) => {
    expect(problemsOf(text)[0]).toContain(start);
  });

  test("[AG1] aliases that multiply", () => {
    const levels = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(10)}]`);
    expect(problemsOf(`a0: &a0 [x]\n${levels.join("\n")}`)[0]).toContain("It grows too large by its aliases.");
  });

  test.each([
    ["no name", "services: {}", '1 template: "template" is missing here. Add it.'],
    ["a name in capitals", "template: Shop", "1 template: A name has lower case letters"],
    ["a name that is a number", "template: 7", "1 template: A name is expected"],
    ["a name that ends with a dash", "template: a-", "1 template: A name has"],
    ["a long name", `template: ${"a".repeat(41)}`, "1 template: A name has"],
    ["a service in capitals", "template: t\nservices: { Web: { command: x } }", "2 services.Web: A name has"],
    ["a service called self", "template: t\nservices: { self: { command: x } }", '2 services.self: "self" means'],
    [
      "a service twice",
      "template: t\nexternal: { a: { command: x } }\nservices: { a: { command: x } }",
      '3 services.a: There is an external service "a" as well.',
    ],
    ["a port in capitals", web("ports: [HTTP]"), "2 services.web.ports[0]: A name has"],
    ["a port by number", web("ports: [80]"), "2 services.web.ports[0]: A port has a name here, such as http"],
    ["two ports by number", web("ports: ['8080:80']"), "2 services.web.ports[0]: A port has a name here, such as http"],
    ["a port twice", web("ports: [a, a]"), '2 services.web.ports[1]: The port "a" is there twice.'],
    [
      "too many ports",
      web(`ports: [${Array.from({ length: 17 }, (_, at) => `p${at}`).join(", ")}]`),
      "It is too long: at most 16 entries; given were 17",
    ],
    [
      "too many services",
      `template: t\nservices: {${Array.from({ length: 65 }, (_, at) => `s${at}: { command: x }`).join(", ")}}`,
      "2 services: There are 65 services",
    ],
  ])("[AG4] %s", (_, text, start) => {
    expect(problemsOf(text)[0]).toContain(start);
  });

  test.each([
    ["no command", "template: t\nservices: { web: { cwd: x } }", '"command" is missing here. Add it, or an image'],
    ["an empty command", "template: t\nservices: { web: { command: '' } }", "It is empty"],
    [
      "a command without a program",
      "template: t\nservices: { web: { command: [] } }",
      "The list is empty; its first entry is the program",
    ],
    ["an empty program", "template: t\nservices: { web: { command: ['', a] } }", "The first entry is the program"],
    [
      "a command that is a mapping",
      "template: t\nservices: { web: { command: { a: b } } }",
      "A command is a text for the shell, or a list",
    ],
    ["an argument that is a list", "template: t\nservices: { web: { command: [a, [b]] } }", "A text is expected"],
    [
      "a service that is nothing",
      "template: t\nservices: { web: }",
      "It is empty. Write something, or take the line out.",
    ],
    [
      "a service that is a text",
      "template: t\nservices: { web: npm start }",
      'A service is an object with a command or an image; given was "npm start".',
    ],
    ["a folder outside", web("cwd: ../x"), "A folder lies inside the workspace"],
    ["a folder of the machine", web("cwd: /etc"), "A folder is relative to the workspace"],
    ["a variable that begins with a digit", web("env: { 1A: x }"), "The name of a variable has letters"],
    ["a variable that is a list", web("env: { A: [x] }"), "A text is expected"],
    ["a variable without a value", web("env: { A: }"), "It is empty."],
    [
      "a made up value of a service",
      web("env: { A: { generate: hex } }"),
      "what is generated stands in env at the top",
    ],
    ["another way to make up", "template: t\nenv: { A: { generate: uuid } }", "Only hex can be generated"],
    ["no name of a secret", "template: t\nenv: { A: { secret: stripe } }", "A secret's name is in capitals"],
    ["a secret with more", "template: t\nenv: { A: { secret: KEY, bytes: 3 } }", 'There is no key "bytes" here.'],
    ["what pays for models", web("env: { A: { secret: OPENAI_API_KEY } }"), "OPENAI_API_KEY pays for models"],
    ["a hook too long", "template: t\nhooks: { setup: { command: x, timeout: 2h } }", "It is from 1s to 1h"],
    ["an unknown hook", "template: t\nhooks: { teardown: x }", 'There is no key "teardown" here.'],
    ["a hook that names nobody", 'template: t\nhooks: { setup: "x ${db.port}" }', "names a service that is not there"],
    ["a hook of its own", 'template: t\nhooks: { ready: [x, "${self.port}"] }', "Name the service instead of self."],
    ["an unknown network", "template: t\negress: all", "It is one of none, list, open, or an object such as"],
    ["a list without hosts", "template: t\negress: { allow: [] }", "The list is empty; for no network write none"],
    ["no host", "template: t\negress: { allow: ['http://example.org'] }", "A host is a name such as example.org"],
    ["no image", "template: t\nimage: --privileged", "An image is named as for podman or docker"],
    ["a Dockerfile outside", "template: t\nimage: { dockerfile: ../x }", "A Dockerfile is a path in the project"],
    ["no bytes", "template: t\nenv: { A: { generate: hex, bytes: 0 } }", "The least is 1; given was 0."],
    [
      "an unknown key",
      web("privileged: yes"),
      'There is no key "privileged" here. There is: command, image, entrypoint, data, workspace, cwd, env, env_signal',
    ],
    [
      "an unknown key at the top",
      "template: t\nversion: 3",
      'There is no key "version" here. There is: template, project, workspace, env, limits, external, services, faces',
    ],
    ["services in a list", "template: t\nservices: [web]", "Services are an object: each has its name in front"],
    ["variables in a list", web("env: [A]"), "Variables are an object such as { NAME: value }."],
    ["a signal alone", web("stop: TERM"), "It is an object such as { signal: INT, grace: 10s }"],
    ["a signal that tells nobody anything", web("env_signal: KILL"), "It is one of HUP, USR1, USR2"],
    ["an unknown signal", web("stop: { signal: SEGV }"), "It is one of TERM, INT, QUIT, HUP, USR1, USR2, WINCH, KILL."],
    ["a signal with SIG in front", web("stop: { signal: SIGTERM }"), "WINCH, KILL. Did you mean TERM?"],
    ["a signal in small letters", web("stop: { signal: winch }"), "Did you mean WINCH?"],
  ])("[AG5] %s", (_, text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ["nobody", web("depends_on: [db]"), 'There is no service "db" to wait for. Add it, or take this out.'],
    ["itself", web("depends_on: [web]"), "The service web waits for itself."],
    ["somebody twice", `${web("depends_on: [a, a]").slice(0, -1)}, a: { command: x } }`, '"a" is named twice.'],
    ["something that is no list", web("depends_on: db"), "A list of services is expected"],
    [
      "an unknown moment",
      `${web("depends_on: { a: ready }").slice(0, -1)}, a: { command: x } }`,
      "It is one of started, healthy, completed",
    ],
    [
      "the health of what has no check",
      `${web("depends_on: { a: healthy }").slice(0, -1)}, a: { command: x } }`,
      "The service a has no health check",
    ],
    [
      "the end of what never ends",
      `${web("depends_on: { a: completed }").slice(0, -1)}, a: { command: x } }`,
      "it never completes",
    ],
    [
      "an application, from outside",
      "template: t\nexternal: { db: { command: x, depends_on: [web] } }\nservices: { web: { command: x } }",
      "External services come first, so db cannot wait for web.",
    ],
  ])("[AG6] waiting for %s", (_, text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(message)]);
  });

  test("[AG6] a circle is named", () => {
    const text = `template: t
services:
  a: { command: x, depends_on: [b] }
  b: { command: x, depends_on: [c, d] }
  c: { command: x, depends_on: [a] }
  d: { command: x }
`;
    expect(problemsOf(text)).toEqual([
      "5 services.c.depends_on[0]: These wait for each other, so none would ever begin: a → b → c → a. Take one of the needs out.",
    ]);
  });

  const two = (command: string): string => `
template: t
services:
  web: { command: "${command}", ports: [a, b] }
  db: { command: "\${self.port}", ports: [sql] }
  none: { command: x }
`;

  test.each([
    [
      "a service that is not there",
      two("${dbb.port}"),
      "${dbb.port} names a service that is not there. Did you mean db?",
    ],
    [
      "a port that is not there",
      two("${db.ports.sqll}"),
      "${db.ports.sqll} names a port that db does not have. Did you mean sql?",
    ],
    ["a port of a service without any", two("${none.url}"), "${none.url} names a port, and none has none."],
    ["one of several ports", two("${self.port}"), "Write ${self.ports.a} or ${self.ports.b}."],
    ["one of several addresses", two("${web.url}"), "Write ${web.urls.a} or ${web.urls.b}."],
    ["a field that is not there", two("${db.prot}"), "${db.prot} names nothing that there is."],
    ["too much", two("${db.ports.sql.x}"), "${db.ports.sql.x} names nothing that there is."],
    ["an unknown part of the agent", two("${agent.port}"), "${agent.port} names nothing that there is."],
    ["oneself at the top", "template: t\nenv: { A: '${self.port}' }", "${self.port} stands at the top"],
    ["a port in a folder", web("cwd: '${web.port}'"), "Nothing is filled in here, only in commands and variables."],
    ["a port in a path", web("ports: [a], health: { http: '/${web.port}' }"), "Nothing is filled in here"],
    ["a port in a line", web("health: { log: 'on ${agent.name}' }"), "Nothing is filled in here"],
  ])("[AG7] naming %s", (_, text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(message)]);
  });

  test("[AG7] texts of a program or the shell are left alone", () => {
    const text = web('env: { A: "${HOME} $PATH ${A:-b} ${x.y" }');
    expect(problemsOf(text)).toEqual([]);
    expect(warningsOf(text)).toEqual([]);
    expect(warningsOf(web("env: { A: '${process.pid} ${agent.name} ${web.x' }"))).toEqual([
      expect.stringContaining("2 services.web.env.A: ${process.pid} is left as it is"),
    ]);
  });

  test.each([
    ["no check", web("health: {}"), "It does not say what is checked. Add one of http, tcp, command, log."],
    ["two checks", web("ports: [a], health: { tcp: a, log: x }"), "A service has one check, and there is tcp already."],
    ["a check that is a text", web("health: /health"), "A health check is one of http, tcp, command, log"],
    [
      "a port that is not there",
      web("ports: [a], health: { tcp: b }"),
      'The service web has no port "b". Did you mean a?',
    ],
    [
      "a port of http that is not there",
      web("ports: [a], health: { http: { port: bcd } }"),
      'The service web has no port "bcd". It has: a.',
    ],
    ["no port at all", web("health: { http: / }"), "The service web has no port to check."],
    ["one of several ports", web("ports: [a, b], health: { http: /x }"), "Say which: http: { port: a, path: /x }."],
    ["a path without a slash", web("ports: [a], health: { http: x }"), "The path of a check begins with /"],
    [
      "a timeout beyond the interval",
      web("health: { command: x, interval: 1s, timeout: 2s }"),
      "A check would take longer than the time to the next one, which is 1s.",
    ],
    ["a bare number", web("health: { command: x, interval: 5 }"), "A time is a number with a unit"],
    ["a time without sense", web("stop: { grace: soon }"), "A time is a number with a unit"],
    ["a time out of bounds", web("stop: { grace: 11m }"), "It is from 0ms to 10m"],
    ["no retries", web("health: { command: x, retries: 0 }"), "At least one check has to fail"],
    ["an interval for a line", web("health: { log: x, interval: 1s }"), "A line of output is waited for once"],
    [
      "delays out of order",
      web("restart: { delay: 2s, max_delay: 1s }"),
      "The first delay (2s) is longer than the longest (1s).",
    ],
    ["no restarts", web("restart: { limit: 0 }"), "At least one restart; for none write the policy never"],
    ["half a restart", web("restart: { limit: 1.5 }"), "A whole number is expected"],
  ])("[AG8] %s", (_, text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(message)]);
  });

  test("[AG2] what is only strange is a warning", () => {
    expect(warningsOf(web("restart: { policy: never, limit: 3 }"))).toEqual([
      expect.stringContaining("2 services.web.restart.limit: It is never started again, so limit means nothing."),
    ]);
    expect(warningsOf(web("restart: { delay: 30s }"))).toEqual([
      expect.stringContaining("With these delays 5 restarts never fall within 1m"),
    ]);
  });
});
