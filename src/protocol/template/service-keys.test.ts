import { describe, expect, test } from "vitest";
import type { ServiceSpec } from "./agent-spec.ts";
import { readTemplate } from "./read-template.ts";
import { spellBytes, toBytes } from "./size.ts";

function read(service: string, top = ""): ReturnType<typeof readTemplate> {
  return readTemplate(`template: t\n${top}\nservices:\n  web: { command: x, ${service} }\n`, { file: "t.yaml" });
}

function problemsOf(service: string, top = ""): string[] {
  const found = read(service, top);
  return found.ok ? [] : found.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

function webOf(service: string, top = ""): object | undefined {
  const found = read(service, top);
  return found.ok ? found.spec.services[0] : undefined;
}

describe("sizes", () => {
  test.each([
    ["512MiB", 512 * 1024 ** 2, "512MiB"],
    ["1.5GiB", 1536 * 1024 ** 2, "1536MiB"],
    ["20MB", 20_000_000, "20000000B"],
    ["0B", 0, "0B"],
  ])("%s", (text, bytes, spelt) => {
    expect(toBytes(text)).toBe(bytes);
    expect(spellBytes(bytes)).toBe(spelt);
  });
});

describe("limits", () => {
  test("[SV1] of a service and of its agent are read, and what is not said is not limited", () => {
    expect(webOf("limits: { memory: 64MiB, cpu: 0.5 }")).toMatchObject({
      limits: { memoryBytes: 64 * 1024 ** 2, cpu: 0.5, processes: null, files: null },
    });
    expect(webOf("limits: {}")).not.toHaveProperty("limits");
    expect(read("cwd: .", "limits: { disk: 2GiB }")).toMatchObject({ spec: { limits: { diskBytes: 2 * 1024 ** 3 } } });
    expect(read("cwd: .", "limits: { processes: 50 }")).toMatchObject({ spec: { limits: { processes: 50 } } });
  });

  test.each([
    [
      "more memory than the agent",
      "memory: 2GiB",
      "limits: { memory: 1GiB }",
      "The agent has 1GiB for everything in it",
    ],
    ["more processors than the agent", "cpu: 3", "limits: { cpu: 2 }", "so web can never have 3. Make this less"],
    [
      "more processes than the agent",
      "processes: 60",
      "limits: { processes: 50 }",
      "give the agent more: limits: { processes: 60 }",
    ],
    ["more processes than any agent", "processes: 5000", "", "The most is 4096; given was 5000."],
    ["no unit", "memory: 512", "", "A size is a number with a unit, such as 512MiB or 1.5GiB"],
    ["hardly any memory", "memory: 1KiB", "", "It is from 4MiB to 16TiB"],
    ["a disk of its own", "disk: 1GiB", "", 'There is no key "disk" here.'],
    ["half a process", "processes: 1.5", "", "A whole number is expected"],
    ["no processor", "cpu: 0", "", "The least is 0.01; given was 0."],
  ])("[SV1] %s is refused, with its line", (_, limit, top, message) => {
    expect(problemsOf(`limits: { ${limit} }`, top)).toEqual([expect.stringMatching(/^4 services\.web\.limits\.\w+: /)]);
    expect(problemsOf(`limits: { ${limit} }`, top)).toEqual([expect.stringContaining(message)]);
  });

  test("[AG92] services that may have more memory together than their agent are a warning: limits are no reservations", () => {
    const warned = (own: string, all: string): string[] => {
      const answer = read(`limits: { memory: ${own} }, instances: 2`, `limits: { memory: ${all} }`);
      return answer.ok ? answer.warnings.map(({ path, message }) => `${path}: ${message}`) : ["refused"];
    };
    expect(warned("600MiB", "1GiB")).toEqual([
      expect.stringContaining("limits.memory: Its services may have 1200MiB together"),
    ]);
    expect(warned("512MiB", "1GiB")).toEqual([]);
  });

  test("[AG92] an agent has room for a process of each instance, and is warned of limits that come to more", () => {
    const found = (own: string, all: string): string[] => {
      const answer = read(own, all);
      return (answer.ok ? answer.warnings : answer.problems).map(({ path, message }) => `${path}: ${message}`);
    };
    expect(found("instances: 8", "limits: { processes: 2 }")).toEqual([
      expect.stringContaining("limits.processes: Its services are 8 processes at least"),
    ]);
    expect(found("instances: 8", "limits: { processes: 8 }")).toEqual([]);
    expect(found("instances: 2, limits: { processes: 5 }", "limits: { processes: 9 }")).toEqual([
      expect.stringContaining("limits.processes: Its services may have 10 processes together"),
    ]);
    expect(found("instances: 2, limits: { processes: 5 }", "limits: { processes: 10 }")).toEqual([]);
    // Who comes and goes keeps no place.
    expect(found("schedule: '@daily'", "limits: { processes: 1 }")).toEqual([]);
  });

  test("[SV1] what is wrong at the top is told once, and not again below", () => {
    expect(problemsOf("limits: { cpu: 3 }", "limits: { cpu: many }")).toEqual([
      expect.stringContaining("2 limits.cpu: A number is expected"),
    ]);
    expect(problemsOf("limits: { memry: 1GiB }")).toEqual([expect.stringContaining("Did you mean memory?")]);
  });
});

describe("logs", () => {
  test("[SV10] have a size and a number; what is left out has a default", () => {
    expect(webOf("logs: { max_size: 1MiB, keep: 2 }")).toMatchObject({ logs: { maxBytes: 1024 ** 2, keep: 2 } });
    expect(webOf("logs: { keep: 9 }")).toMatchObject({ logs: { maxBytes: 8 * 1024 ** 2, keep: 9 } });
    expect(webOf("cwd: .")).not.toHaveProperty("logs");
  });

  test.each([
    ["a tiny size", "logs: { max_size: 1B }", "It is from 64KiB to 1GiB"],
    ["none kept", "logs: { keep: 0 }", "At least one full file is kept"],
    ["a text", "logs: none", "Logs are an object such as { max_size: 10MiB, keep: 5 }"],
  ])("[SV10] %s is refused", (_, said, message) => {
    expect(problemsOf(said)).toEqual([expect.stringContaining(message)]);
  });
});

describe("a schedule", () => {
  test("[SV30] is a text in UTC, or has a zone with what its clocks show", () => {
    const utc = { cron: "*/5 * * * *", zone: "UTC", shifts: [] };
    expect(webOf('schedule: "*/5 * * * *"')).toMatchObject({ schedule: utc, restart: { policy: "never" } });
    const { schedule } = webOf('schedule: { cron: "0 9 * * 1", zone: Europe/Berlin }') as ServiceSpec;
    const summer = { fromMs: Date.parse("2026-03-29T01:00:00Z"), offsetMs: 7_200_000 };
    expect(schedule?.shifts).toContainEqual(summer);
    expect(schedule?.shifts).toContainEqual({ fromMs: Date.parse("2026-10-25T01:00:00Z"), offsetMs: 3_600_000 });
    const odd = webOf('schedule: { cron: "0 9 * * 1", zone: Asia/Kathmandu }') as ServiceSpec;
    expect(odd.schedule?.shifts).toEqual([{ fromMs: 0, offsetMs: 20_700_000 }]);
  });

  test.each([
    ["four fields", 'schedule: "* * * *"', "A schedule has five fields"],
    ["an hour that is none", 'schedule: "0 25 * * *"', "The hour is from 0 to 23"],
    ["an unknown zone", 'schedule: { cron: "0 9 * * *", zone: Berlin }', "No such zone is known here"],
    ["restarts", 'schedule: "@daily", restart: always', "its schedule would mean nothing"],
    ["a check", 'schedule: "@daily", health: { command: x }', "so health means nothing here"],
    ["instances", 'schedule: "@daily", instances: 2', "so instances means nothing here"],
  ])("[SV30] with %s is refused", (_, said, message) => {
    expect(problemsOf(said)).toEqual([expect.stringContaining(message)]);
  });

  test("[SV30] nobody waits for what comes and goes", () => {
    const text =
      'template: t\nservices:\n  a: { command: x, schedule: "@daily" }\n  b: { command: x, depends_on: [a] }\n';
    const found = readTemplate(text, { file: "t.yaml" });
    expect(found).toMatchObject({ problems: [{ line: 4, path: "services.b.depends_on[0]" }] });
    const outside = 'template: t\nexternal:\n  a: { command: x, schedule: "@daily" }\n';
    expect(readTemplate(outside, { file: "t.yaml" })).toMatchObject({
      problems: [{ line: 3, path: "external.a.schedule" }],
    });
  });
});

describe("instances", () => {
  const check = "ports: [http], health: { tcp: http }";

  test("[SV20, SV22] are a number, and overlap is a word; what is usual is not written down", () => {
    expect(webOf(`instances: 3, overlap: true, ${check}`)).toMatchObject({ instances: 3, overlap: true });
    const plain = webOf(`instances: 1, overlap: false, ${check}`);
    expect(plain).not.toHaveProperty("instances");
    expect(plain).not.toHaveProperty("overlap");
  });

  test.each([
    ["none", "instances: 0", "The least is 1; given was 0."],
    ["too many", "instances: 33", "The most is 32; given was 33."],
    [
      "overlap without a check",
      "overlap: true",
      "Nobody can tell when a new web is well, because it has no health check.",
    ],
    ["the port of all of them", `instances: 2, ${check}, env: { A: "\${web.port}" }`, "Write ${self.port}."],
  ])("[SV20] %s is refused", (_, said, message) => {
    expect(problemsOf(said)).toEqual([expect.stringContaining(message)]);
  });
});

describe("an image of its own", () => {
  const imageOf = (service: string): ReturnType<typeof readTemplate> =>
    readTemplate(`template: t\nexternal:\n  db: { ${service} }\n`, { file: "t.yaml" });
  const wrongWith = (service: string): string[] => {
    const found = imageOf(service);
    return found.ok ? [] : found.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
  };

  test("[SV61] may be all that is said, or has another command, entry point, folders and the workspace", () => {
    const spec = (service: string): unknown => {
      const found = imageOf(service);
      return found.ok ? found.spec.services[0] : found.problems;
    };
    expect(spec("image: postgres:16")).toMatchObject({ image: { name: "postgres:16" }, argv: [], cwd: null });
    expect(spec("image: postgres:16")).not.toHaveProperty("workspace");
    expect(
      spec(
        "image: { dockerfile: db/Dockerfile }, entrypoint: [], command: [run, 1], data: [/data], workspace: true, cwd: db",
      ),
    ).toMatchObject({
      ...{ image: { dockerfile: "db/Dockerfile" }, entrypoint: [], argv: ["run", "1"] },
      ...{ data: ["/data"], workspace: true, cwd: "db" },
    });
  });

  test.each([
    ["nothing at all", "ports: [a]", '3 external.db.command: "command" is missing here. Add it, or an image'],
    ["what only an image has", "command: x, data: [/data]", "3 external.db.data: Without an image of its own"],
    [
      "no image",
      "image: none, command: x",
      "3 external.db.image: A service without an image of its own runs on its agent's",
    ],
    [
      "an option in place of a name",
      "image: --privileged",
      "external.db.image: An image is named as for podman or docker",
    ],
    ["nothing to start", "image: a, entrypoint: []", "external.db.entrypoint: Nothing would be started. Add a command"],
    [
      "a folder that it does not see",
      "image: a, cwd: db",
      "external.db.cwd: The service db does not see the workspace",
    ],
    ["no folders", "image: a, data: []", "external.db.data: The list is empty; name folders of the image"],
    [
      "a folder of no image",
      "image: a, data: [data]",
      "external.db.data[0]: A folder that stays is given as the image has it",
    ],
    ["a way around", "image: a, data: [/a/../etc]", "external.db.data[0]: A path has letters, digits"],
    ["what is not the image's", "image: a, data: [/proc/x]", "external.db.data[0]: Nothing stays in /proc."],
    ["the same folder twice", "image: a, data: [/a, /a]", 'external.db.data[1]: It is in "/a", which stays already.'],
    ["a folder in another", "image: a, data: [/a/b, /a]", 'external.db.data[0]: It is in "/a", which stays already.'],
    ["several with folders", "image: a, data: [/a], instances: 2", "external.db.data: There are several of db"],
    ["a port that is not there", "image: a, entrypoint: ['${self.port}']", "names a port, and db has none"],
  ])("[SV61, SV62] %s is refused, with its line", (_, said, message) => {
    expect(wrongWith(said)).toEqual([expect.stringContaining(message)]);
  });
});

describe("files to watch", () => {
  test("[SV40] are globs of the workspace", () => {
    expect(webOf("watch: [src/**, '*.json']")).toMatchObject({ watch: ["src/**", "*.json"] });
  });

  test.each([
    ["none", "watch: []", "The list is empty; name files"],
    ["a text", "watch: src", "It is a list of globs, such as [src/**]"],
    ["a path of the machine", "watch: [/etc/**]", "it has no slash in front"],
    ["a way out", "watch: [../x]", "without . and .."],
    ["half a star", "watch: [src/**.ts]", "write src/**/*.ts rather than src/**.ts"],
    ["a schedule beside it", 'watch: [a], schedule: "@daily"', "so watch means nothing here"],
  ])("[SV40] %s is refused", (_, said, message) => {
    const found = problemsOf(said);
    expect(found).toHaveLength(1);
    expect(found[0]?.toLowerCase()).toContain(message.toLowerCase());
  });
});

describe("what has no effect, or none that was meant", () => {
  const stop = (said: string): string[] => {
    const answer = read(`stop: { ${said} }`);
    return answer.ok ? answer.warnings.map(({ path, message }) => `${path}: ${message}`) : ["refused"];
  };

  test("[AG2] a grace beside KILL is a warning", () => {
    expect(stop("signal: KILL, grace: 5m")).toEqual([
      expect.stringContaining("services.web.stop.grace: KILL ends it at once, so grace means nothing."),
    ]);
    expect(stop("signal: KILL")).toEqual([]);
    expect(stop("signal: USR2, grace: 5m")).toEqual([]);
  });

  test("[AG2] a face of what comes and goes is a warning", () => {
    const answer = read("ports: [http], schedule: '@daily'", "faces: { app: { service: web } }");
    expect(answer.ok && answer.warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringContaining("faces.app.service: The service web has a schedule, so nothing answers here"),
    ]);
  });

  test("[AW20] a tool that the door does not have is told with what was meant", () => {
    const permissions = "permissions: { allow: [run_command], deny: [run_comand] }";
    expect(problemsOf("cwd: .", `assistant: { profile: p, prompt: x, ${permissions} }`)).toEqual([
      expect.stringContaining('There is no tool "run_comand". Did you mean run_command?'),
    ]);
  });
});
