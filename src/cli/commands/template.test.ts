import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { AgentSpec } from "../../protocol/template/agent-spec.ts";
import { readTemplate } from "../../protocol/template/read-template.ts";
import { listStacks } from "../stacks.ts";
import { tryCli } from "../testing/try-cli.ts";

const good = 'template: shop\nservices:\n  web: { command: "serve ${self.port}", ports: [http] }\n';
const odd = "template: odd\nservices:\n  web: { command: serve, restart: { policy: never, limit: 3 } }\n";
const bad = "template: Shop\nservices:\n  web: { comand: x }\n";

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = makeTempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("template validate", () => {
  test("[AG2] says where each problem is, looks at every file, and ends with 2", async () => {
    const cwd = makeFolder({ "good.yaml": good, "bad.yaml": bad, "odd.yaml": odd });
    const words = ["template", "validate", "bad.yaml", "none.yaml", "good.yaml", "odd.yaml"];
    const { exitCode, stdout, stderr, calls } = await tryCli(words, {}, { cwd });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^bad\.yaml:1:11: template: A name has lower case letters/),
      'bad.yaml:3:10: services.web.comand: There is no key "comand" here. Did you mean command?',
      "good.yaml: ok",
      expect.stringMatching(
        /^odd\.yaml:3:52: services\.web\.restart\.limit: It is never started again, .* \(warning\)$/,
      ),
      "odd.yaml: ok",
      "",
    ]);
    expect(stderr).toBe('signalbox: FILE "none.yaml": there is no such file.\n');
    expect([exitCode, calls]).toEqual([2, []]);
  });

  test("looks at signalbox.yaml where nothing is named", async () => {
    const fine = await tryCli(["template", "validate"], {}, { cwd: makeFolder({ "signalbox.yaml": good }) });
    expect([fine.exitCode, fine.stdout]).toEqual([0, "signalbox.yaml: ok\n"]);
    expect((await tryCli(["template", "validate"], {}, { cwd: makeFolder({}) })).exitCode).toBe(2);
  });

  test("[AG2] answers a program with everything", async () => {
    const cwd = makeFolder({ "bad.yaml": bad, "odd.yaml": odd });
    const words = ["template", "validate", "bad.yaml", "odd.yaml", "none.yaml", "--json"];
    const { exitCode, stdout } = await tryCli(words, {}, { cwd });
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      2,
      {
        templates: [
          {
            file: "bad.yaml",
            ok: false,
            problems: [{ line: 1 }, { line: 3, column: 10, path: "services.web.comand" }],
          },
          { file: "odd.yaml", ok: true, problems: [], warnings: [{ line: 3, path: "services.web.restart.limit" }] },
        ],
        errors: [{ file: "none.yaml", code: "bad-input" }],
      },
    ]);
  });
});

describe("template show", () => {
  test("[AG3] leaves nothing out, and means the same", async () => {
    const cwd = makeFolder({ "signalbox.yaml": good });
    const { stdout } = await tryCli(["template", "show"], {}, { cwd });
    expect(stdout).toContain("      policy: always\n      delay: 100ms\n      max_delay: 30s\n      limit: 5\n");
    const json = await tryCli(["template", "show", "--json"], {}, { cwd });
    const { spec } = JSON.parse(json.stdout) as { spec: AgentSpec };
    expect(spec).toMatchObject({ template: "shop", services: [{ name: "web", kind: "application", ports: ["http"] }] });
    expect(readTemplate(stdout, { file: "shown" })).toEqual({ ok: true, spec, warnings: [] });
  });

  test("[AG2] names all problems in one error", async () => {
    const cwd = makeFolder({ "bad.yaml": bad });
    const { exitCode, stderr } = await tryCli(["template", "show", "bad.yaml"], {}, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^signalbox: The template is not right: bad\.yaml:1:11: .*\n {2}- bad\.yaml:3:10: .*\n$/);
    const json = await tryCli(["template", "show", "bad.yaml", "--json"], {}, { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: "bad-template", data: { problems: [{}, {}] } } });
  });
});

describe("template init", () => {
  test("writes a template that is called after its folder, and overwrites nothing", async () => {
    const cwd = makeTempFolder();
    const first = await tryCli(["template", "init", "--json"], {}, { cwd });
    const { path, template } = JSON.parse(first.stdout) as { path: string; template: string };
    expect([path, template]).toEqual([join(cwd, "signalbox.yaml"), expect.stringMatching(/^signalbox-test-\w+/)]);
    const text = readFileSync(path, "utf8");
    const again = await tryCli(["template", "init", "other"], {}, { cwd });
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining("is there already, and is left as it is"),
    ]);
    expect([readFileSync(path, "utf8"), readdirSync(cwd)]).toEqual([text, ["signalbox.yaml"]]);
  });

  test.each(listStacks())(
    "[AG9] begins with the stack $name, which has no problem and no warning",
    async ({ name }) => {
      const cwd = makeTempFolder();
      const { exitCode } = await tryCli(["template", "init", "mine", "--from", name], {}, { cwd });
      const text = readFileSync(join(cwd, "signalbox.yaml"), "utf8");
      const read = readTemplate(text, { file: name });
      expect([exitCode, read]).toMatchObject([0, { ok: true, spec: { template: "mine" }, warnings: [] }]);
      expect(text).not.toMatch(/^#\s+yaml-language-server/m);
    },
  );

  test.each([
    [["init", "Shop"], "a name has lower case letters"],
    [["init", "shop", "--from", "node"], "it is one of bare, node-postgres, python, static-site"],
  ])("%j is refused", async (words, why) => {
    const cwd = makeTempFolder();
    const { exitCode, stderr } = await tryCli(["template", ...words], {}, { cwd });
    expect([exitCode, readdirSync(cwd), stderr.toLowerCase()]).toEqual([2, [], expect.stringContaining(why)]);
  });
});

describe("what comes along", () => {
  test("[AG9] the stacks are called as their files are, and each says what it is for", () => {
    const stacks = listStacks();
    expect(stacks.map(({ name }) => name)).toEqual(["bare", "node-postgres", "python", "static-site"]);
    for (const { name, about, text } of stacks) {
      expect(readTemplate(text, { file: name })).toMatchObject({ ok: true, spec: { template: name }, warnings: [] });
      expect(about).toMatch(/^[A-Z].*\.$/);
    }
  });

  test("is listed", async () => {
    const { stdout } = await tryCli(["template", "list"]);
    expect(stdout).toMatch(/^STACK +SERVICES +WHAT IT IS\nbare .*\nnode-postgres +db, install, web +A Node\.js/);
    const json = await tryCli(["template", "ls", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ stacks: [{ name: "bare", services: [] }, {}, {}, {}] });
  });

  test("[AG9] the schema is the one in the repository", async () => {
    const file = readFileSync(join(import.meta.dirname, "../../../schemas/template.schema.json"), "utf8");
    expect((await tryCli(["template", "schema"])).stdout).toBe(file);
    expect(JSON.parse((await tryCli(["template", "schema", "--json"])).stdout)).toEqual(JSON.parse(file));
  });
});
