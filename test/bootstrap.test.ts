import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { root } from "./support/source-files.ts";

// A checkout of its own with an npm that only writes down that it ran, so that nothing is fetched.
const fakeNpm = `
const fs = require("node:fs");
fs.appendFileSync("npm.log", "start ");
if (fs.existsSync("broken")) process.exit(1);
setTimeout(() => {
  fs.mkdirSync("node_modules", { recursive: true });
  fs.appendFileSync("npm.log", "end ");
}, 200);
`;
const fakeCli = `console.log(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) }));`;

let checkout = "";

beforeEach(() => {
  checkout = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-bootstrap-")));
  for (const folder of ["bin", "scripts", "src/cli", ".cache"])
    fs.mkdirSync(path.join(checkout, folder), { recursive: true });
  for (const file of ["bin/signalbox", "scripts/bootstrap.mjs"])
    fs.copyFileSync(path.join(root, file), path.join(checkout, file));
  fs.writeFileSync(path.join(checkout, "package-lock.json"), "{}");
  fs.writeFileSync(path.join(checkout, "npm-cli.js"), fakeNpm);
  fs.writeFileSync(path.join(checkout, "src/cli/main.ts"), fakeCli);
});

afterEach(() => {
  fs.rmSync(checkout, { recursive: true, force: true });
});

describe("bootstrap", () => {
  test("several set-ups at once install once", async () => {
    const results = await Promise.all([prepare(), prepare(), prepare(), prepare()]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(npmLog()).toBe("start end ");
    expect(fs.readdirSync(path.join(checkout, ".cache"))).toEqual(["node-path"]);
  });

  test("the lock of a dead set-up is taken over, by one", async () => {
    fs.mkdirSync(path.join(checkout, ".cache/setup.lock"));
    // This very process lives, but did not start at that instant: the number was used again.
    fs.symlinkSync(`${process.pid}-1`, path.join(checkout, ".cache/setup.lock/owner"));
    const results = await Promise.all([prepare(), prepare(), prepare()]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(npmLog()).toBe("start end ");
    expect(fs.readdirSync(path.join(checkout, ".cache"))).toEqual(["node-path"]);
  });

  test("a failed installation is said, not remembered as done, and gives the lock back", async () => {
    fs.writeFileSync(path.join(checkout, "broken"), "");
    const failed = await prepare();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("npm ci failed");
    fs.rmSync(path.join(checkout, "broken"));
    expect((await prepare()).code).toBe(0);
    expect(npmLog()).toBe("start start end ");
  });

  test("a changed lock file installs again", async () => {
    await prepare();
    await prepare();
    expect(npmLog()).toBe("start end ");
    fs.writeFileSync(path.join(checkout, "package-lock.json"), "{ }");
    await prepare();
    expect(npmLog()).toBe("start end start end ");
  });

  test("packages of another checkout are used through a link while they fit, and never installed over", async () => {
    const other = path.join(checkout, "other");
    await prepare();
    fs.renameSync(path.join(checkout, "node_modules"), other);
    fs.symlinkSync(other, path.join(checkout, "node_modules"));
    expect((await prepare()).code).toBe(0);
    fs.writeFileSync(path.join(checkout, "package-lock.json"), "{ }");
    fs.writeFileSync(path.join(other, "theirs"), "");
    for (const refused of [await prepare(), await run(path.join(checkout, "bin/signalbox"), ["ps"], checkout)]) {
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toContain(`is a symbolic link to ${other}, which belongs to another checkout`);
    }
    expect([npmLog(), fs.existsSync(path.join(other, "theirs"))]).toEqual(["start end ", true]);
    fs.unlinkSync(path.join(checkout, "node_modules"));
    expect((await prepare()).code).toBe(0);
  });

  test("an unknown task is refused with the known ones", async () => {
    const result = await run(process.execPath, ["scripts/bootstrap.mjs", "strat"], checkout);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('there is no task "strat"; there are: ');
  });
});

describe("bin/signalbox", () => {
  test("sets up when it must, runs through links, and keeps the caller's folder", async () => {
    const elsewhere = path.join(checkout, "some where");
    fs.mkdirSync(elsewhere);
    fs.symlinkSync("../bin/signalbox", path.join(elsewhere, "one"));
    fs.symlinkSync(path.join(elsewhere, "one"), path.join(elsewhere, "two"));
    for (const time of ["first", "second"]) {
      const result = await run(path.join(elsewhere, "two"), ["ps", "--tag", "a b"], elsewhere);
      expect(result.code, `the ${time} time`).toBe(0);
      expect(JSON.parse(result.stdout)).toEqual({ cwd: elsewhere, args: ["ps", "--tag", "a b"] });
    }
    expect(npmLog()).toBe("start end ");
  });

  test("runs what was built, and the sources where one of them is newer or gone since", async () => {
    const says = async (): Promise<string> => (await run(path.join(checkout, "bin/signalbox"), [], checkout)).stdout;
    const built = path.join(checkout, "dist/program");
    fs.mkdirSync(built, { recursive: true });
    fs.writeFileSync(path.join(built, "cli.mjs"), 'console.log("built");');
    fs.writeFileSync(path.join(built, ".built-from"), "");
    const later = (seconds: number): Date => new Date(Date.now() + seconds * 1000);
    fs.utimesSync(path.join(built, ".built-from"), later(60), later(60));
    expect(await says()).toBe("built\n");
    fs.utimesSync(path.join(checkout, "src/cli/main.ts"), later(120), later(120));
    expect(await says()).toContain("cwd");
    fs.utimesSync(path.join(checkout, "src/cli/main.ts"), later(0), later(0));
    expect(await says()).toBe("built\n");
    fs.utimesSync(path.join(checkout, "src/cli"), later(120), later(120));
    expect(await says()).toContain("cwd");
  });
});

function prepare(): Promise<RunResult> {
  return run(process.execPath, ["scripts/bootstrap.mjs", "prepare"], checkout);
}

function npmLog(): string {
  return fs.readFileSync(path.join(checkout, "npm.log"), "utf8");
}

interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(command: string, args: readonly string[], cwd: string): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`;
    const env = { ...process.env, PATH, npm_execpath: path.join(checkout, "npm-cli.js") };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const result: RunResult = { code: null, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (result.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (result.stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ ...result, code });
    });
  });
}
