import { describe, expect, test } from "vitest";
import { protocolError } from "../protocol/errors.ts";
import { policyRulesSchema } from "../protocol/wire/policy.ts";
import { tryCli } from "./testing/try-cli.ts";

describe("what cannot be meant", () => {
  test.each([
    [["statsu"], 'there is no command "statsu". Did you mean stats, status or state? See signalbox --help'],
    [["project", "lst"], 'there is no command "lst". Did you mean list? See signalbox project --help'],
    [["zebra"], 'there is no command "zebra". See signalbox --help'],
    [["constructor"], 'there is no command "constructor". See signalbox --help'],
    [["--all", "ps"], "--all does not belong here; flags come after the command. See signalbox --help"],
    [["ps", "--porject", "x"], "there is no flag --porject. Did you mean --project? See signalbox ps --help"],
    [["ps", "--constructor"], "there is no flag --constructor. See signalbox ps --help"],
    [["ps", "-x"], "there is no flag -x. See signalbox ps --help"],
    [["ps", "r_1"], 'it takes no argument, but there is "r_1". See signalbox ps --help'],
    [["ps", "--project"], "--project is missing or has no value. See signalbox ps --help"],
    [["ps", "--project", "--all"], "--project needs a value, but --all came next. See signalbox ps --help"],
    [["ps", "--tag", "a", "--tag", "b"], '--tag can be given once, and here it is both "a" and "b".'],
    [["ps", "--state", "runing"], "Did you mean running?"],
    [["logs"], "RUN is missing. See signalbox logs --help"],
    [["logs", "12"], 'RUN "12": the id of a run looks like r_1a; signalbox ps -a lists them.'],
    [["continue", "r_1", "a", "b"], '"b" is one argument too many.'],
    [["claim"], "--unit is missing or has no value."],
    [["claim", "--unit", "src/a.ts"], "Did you mean file:src/a.ts?"],
    [["claim", "--unit", "flie:src/a.ts"], "Did you mean file:src/a.ts?"],
    [["claim", "--unit", "file:a", "--ttl", "10"], "Did you mean 10s?"],
    [["claim", "--unit", "file:a", "--ttl", "1ms"], "it has to be from 100ms to 1d."],
    [["claim", "--unit", "file:a", "--priority", "1e3"], "it has to be a whole number from -1000 to 1000."],
    [["claim", "--unit", "file:a", "--try", "--wait", "1s"], "--try answers at once and --wait waits"],
    [["up", "--port", "65536"], "it has to be a whole number from 0 to 65535."],
    [["run"], "What is to be done?"],
    [["run", "title"], "The script runner needs --script FILE"],
    [["run", "--script", "/nowhere/a.yaml"], '--script "/nowhere/a.yaml": there is no such file.'],
    [["run", "t", "--runner", "x", "--accept", "a && b"], "sh -c"],
    [["run", "t", "--runner", "x", "--process", "a=b"], "--process goes with --ephemeral"],
    [["stop"], "Which runs?"],
    [["stop", "r_1", "--all"], "one of them, not several"],
    [["stop", "r_1", "--project", "x"], "--project goes with --tag or --all"],
    [["completion", "bsh"], "it is bash, zsh or fish. Did you mean bash"],
    [["cancel", "r_1"], "signalbox stop ends runs"],
    [["project", "add", "/nowhere"], "/nowhere is not a folder"],
    [["project", "change", "shop"], "There is nothing to change"],
    [["project", "add", "/", "--process", "x"], "a process is NAME=COMMAND"],
  ])("%j", async (words, message) => {
    const { exitCode, stdout, stderr, calls } = await tryCli(words);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^signalbox: /);
    expect({ exitCode, stdout, calls }).toEqual({ exitCode: 2, stdout: "", calls: [] });
  });

  test("is said as a document when JSON is wanted", async () => {
    const { exitCode, stdout, stderr } = await tryCli(["claim", "--unit", "a", "--ttl", "5x", "--json"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe("");
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
    expect(error.code).toBe("bad-input");
    expect(error.message).toContain("--unit");
    expect(error.message).toContain("--ttl");
  });
});

describe("errors of the daemon", () => {
  test("no daemon: says what to do", async () => {
    const { exitCode, stderr } = await tryCli(["ps"]);
    expect(stderr).toBe("signalbox: No daemon runs for /nowhere. Start one with: signalbox up -d\n");
    expect(exitCode).toBe(5);
  });

  test("an unknown run: says what was probably meant", async () => {
    const answers = {
      "run.log": protocolError("not-found", { kind: "run", id: "r_1b" }),
      "run.list": { runs: [{ id: "r_1a" }, { id: "r_zz" }] },
    };
    const { exitCode, stderr } = await tryCli(["logs", "r_1b"], answers);
    expect(stderr).toBe(
      'signalbox: There is no run "r_1b". Did you mean r_1a? See what there is with: signalbox ps -a\n',
    );
    expect(exitCode).toBe(4);
  });

  test("a field of the contract is called by its flag", async () => {
    const refusal = protocolError("bad-input", { where: "units[0]", why: "too long" });
    const answers = { "claim.make": refusal };
    const { stderr } = await tryCli(["claim", "--project", "p", "--unit", "file:a"], answers);
    expect(stderr).toBe("signalbox: --unit is not right: too long.\n");
  });

  test.each(Object.keys(policyRulesSchema.shape))(
    "the rule %s of a policy is called by its flag, too",
    async (rule) => {
      const refusal = protocolError("bad-input", { where: `rules.${rule}`, why: "too large" });
      const { stderr } = await tryCli(["policy", "set", "p", "--max-files", "1"], { "policy.set": refusal });
      const [, name = "no flag"] = /^signalbox: (--\S+) is not right: too large\.$/m.exec(stderr) ?? [];
      const { stdout } = await tryCli(["policy", "set", "--help"]);
      expect(stdout).toContain(`\n      ${name} `);
    },
  );

  test("a defect shows no stack unless it is asked for", async () => {
    const answers = { "run.list": new TypeError("x is not a function") };
    const quiet = await tryCli(["ps"], answers);
    expect(quiet.exitCode).toBe(8);
    expect(quiet.stderr).toContain("x is not a function");
    expect(quiet.stderr).not.toContain("    at ");
    const loud = await tryCli(["ps"], answers, { env: { SIGNALBOX_DEBUG: "1" } });
    expect(loud.stderr).toContain("    at ");
  });

  test("one of several runs refuses, and the others are done nevertheless", async () => {
    const refusal = protocolError("wrong-state", { run: "r_2", state: "done", wanted: "not over" });
    const answers = { "run.pause": ({ run }: { run: string }) => (run === "r_2" ? refusal : {}) };
    const people = await tryCli(["pause", "r_1", "r_2", "r_3"], answers);
    expect(people).toMatchObject({ exitCode: 3, stdout: "r_1\nr_3\n" });
    expect(people.stderr).toContain("Run r_2 is done");
    const { stdout } = await tryCli(["pause", "r_1", "r_2", "--json"], answers);
    expect(JSON.parse(stdout)).toMatchObject({ runs: ["r_1"], errors: [{ id: "r_2", code: "wrong-state" }] });
  });

  test("hostile names cannot steer the terminal", async () => {
    const refusal = protocolError("not-found", { kind: "runner", id: "\u001b[2Jx" });
    const { stderr } = await tryCli(["rm", "r_1"], { "run.remove": refusal });
    expect(stderr).toContain("␛[2Jx");
  });
});

describe("help", () => {
  test.each([
    [["--help"]],
    [["-h"]],
    [[]],
    [["project"]],
    [["project", "--help"]],
    [["project", "add", "-h"]],
    [["help"]],
    [["help", "ps"]],
  ])("%j succeeds on standard output", async (words) => {
    const { exitCode, stdout, stderr } = await tryCli(words);
    expect(stdout).toMatch(/^Usage: signalbox/);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("asking for the version works in both ways", async () => {
    const asked = await tryCli(["version"]);
    expect(asked.stdout).toMatch(/^signalbox \d+\.\d+\.\d+/);
    expect((await tryCli(["--version"])).stdout).toBe(asked.stdout);
  });
});
