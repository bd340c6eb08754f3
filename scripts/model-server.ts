// `npm run model-server -- [SCENARIO] [--port N]`: the scripted model of the tests, for people who want to see real assistants at work
// without a key. It says what the scenario says, shows what it was asked, and lets go what the scenario holds when somebody types its name.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { ModelServer } from "../test/support/model-server/model-server.ts";
import { root } from "./run.ts";

const usage = "npm run model-server -- [SCENARIO.yaml] [--port N]";
/** Always the same, so that a daemon can be started with it before or after. */
const usualPort = 4010;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`model-server: ${whyOf(error)}`);
  return 2;
});

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { port: { type: "string", default: String(usualPort) } },
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new Error(`one scenario at a time: ${usage}`);
  // npm changes to the folder of the package and says where the person was.
  const from = process.env["INIT_CWD"] ?? process.cwd();
  const file = path.resolve(from, positionals[0] ?? path.join(root, "test/support/model-server/greeting.yaml"));
  const server = await ModelServer.start(await readFile(file, "utf8"), toPort(values.port));
  console.log(`A model that says what is written in ${file} is at ${server.url}.`);
  console.log("Start the daemon with this; no key is needed, and none leaves this machine:\n");
  console.log(`${variablesOf(server.url).join(" \\\n")} \\\nnpm start\n`);
  return show(server);
}

/** What the daemon needs to find it instead of the three makers. A relay wants a credential, and this model takes any. */
function variablesOf(url: string): string[] {
  return [
    `ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=scripted`,
    `OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=scripted`,
    `GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=scripted`,
  ];
}

/** Says what happens until it is interrupted. Ends with 1 when something did not fit the scenario. */
async function show(server: ModelServer): Promise<number> {
  const leaving = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => leaving.abort());
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => server.release(line.trim()));
  const seen = { begun: 0, problems: 0 };
  const isNews = (): boolean => server.begun.length > seen.begun || server.problems.length > seen.problems;
  const left = new Promise((resolve) => leaving.signal.addEventListener("abort", resolve));
  while (!leaving.signal.aborted) {
    await Promise.race([server.until(isNews), left]);
    for (const turn of server.begun.slice(seen.begun)) console.log(`turn   ${turn}`);
    for (const problem of server.problems.slice(seen.problems)) console.error(`problem  ${problem}`);
    seen.begun = server.begun.length;
    seen.problems = server.problems.length;
  }
  lines.close();
  await server.close();
  return server.problems.length === 0 ? 0 : 1;
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${text} is no port: ${usage}`);
  return port;
}

function whyOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "somebody else has this port; name another one with --port N";
  if (code === "ENOENT") return "there is no such scenario";
  return message;
}
