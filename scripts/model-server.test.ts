import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "./run.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "sb-model-"))));
afterEach(() => rmSync(folder, { recursive: true }));

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** The script as a person starts it. */
class Served {
  readonly #child;
  readonly #waiting = new Set<() => void>();
  stdout = "";
  stderr = "";
  readonly ended: Promise<Ended>;

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [join(root, "scripts/model-server.ts"), ...args], { cwd: folder });
    const keep = (into: "stdout" | "stderr") => (line: string) => {
      this[into] += `${line}\n`;
      for (const look of this.#waiting) look();
    };
    createInterface({ input: this.#child.stdout }).on("line", keep("stdout"));
    createInterface({ input: this.#child.stderr }).on("line", keep("stderr"));
    this.ended = new Promise((resolve) =>
      this.#child.once("close", (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr })),
    );
  }

  async until(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = pattern.exec(this.stdout + this.stderr);
        if (found === null) return;
        this.#waiting.delete(look);
        resolve(found[1] ?? found[0]);
      };
      this.#waiting.add(look);
      look();
    });
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  leave(): Promise<Ended> {
    this.#child.kill("SIGINT");
    return this.ended;
  }
}

const ask = (url: string, said: string): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: said }], tools: [] }),
  });

test("a person starts the scripted model, points a daemon at it, and sees what it is asked", async () => {
  const served = new Served("--port", "0");
  const url = await served.until(/is at (http:\S+)\./);
  await served.until(/npm start/);
  for (const said of [`ANTHROPIC_BASE_URL=${url} `, `OPENAI_BASE_URL=${url}/v1 `, `GOOGLE_GEMINI_BASE_URL=${url} `])
    expect(served.stdout).toContain(said);
  expect(await (await ask(url, "write a greeting")).text()).toContain("I will write a greeting.");
  await served.until(/turn {3}greeting 0/);
  expect((await served.leave()).code).toBe(0);
});

test("what is held goes on when its name is typed, and what does not fit is a problem", async () => {
  const file = join(folder, "mine.yaml");
  writeFileSync(file, "conversations: [{ name: mine, match: {}, turns: [{ say: at last, hold: gate }] }]");
  const served = new Served(file, "--port", "0");
  const url = await served.until(/is at (http:\S+)\./);
  const held = ask(url, "go");
  await served.until(/turn {3}mine 0/);
  served.type("gate");
  expect(await (await held).text()).toContain("at last");
  expect((await ask(url, "go")).status).toBe(400);
  await served.until(/problem {2}mine has no turn 1/);
  expect((await served.leave()).code).toBe(1);
});

test.each([
  [["nothing.yaml"], "there is no such scenario"],
  [["--port", "many"], "many is no port"],
  [["a.yaml", "b.yaml"], "one scenario at a time"],
])("%j is no way to start it", async (args, why) => {
  const { code, stderr } = await new Served(...args).ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});
