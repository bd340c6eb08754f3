// A repository of very many files: a run in it takes what it changes, and not what there is. What it changes lands, git is right about the
// rest, and what a model is told of it stays short.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { Client as Model, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { SampleProject } from "../support/sample-project.ts";
import { TortureRig } from "./rig/torture-rig.ts";

const filesEach = 100;
const nameOf = (at: number): string => `packages/p${Math.floor(at / filesEach)}/src/f${at % filesEach}.ts`;
const [edited, written, added] = [nameOf(550), nameOf(7), "packages/p9/new.ts"];

type Ask = (name: string, input: Record<string, unknown>) => Promise<string>;
type Door = { readonly url: string; readonly token: string };

export async function largeRepository(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { files: { type: "string", default: "100000" } } });
  const count = Math.max(1000, Number(values.files));
  console.log(`large-repository: ${count} files`);
  const rig = await TortureRig.open({ "README.md": "many\n" }, `large-repository-${process.pid}`);
  try {
    commitMany(rig.sample, count);
    const startMs = performance.now();
    const lap = (what: string): void =>
      console.log(`${what} after ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
    const { project } = await rig.ask("project.add", { root: rig.sample.root, name: "large" });
    const { run, door } = await rig.ask("run.submit", { project, title: "change three", runner: "mcp" });
    if (door === null) throw new Error("the run has no door");
    const wrong = await asModel(door, (ask) => work(ask, count, lap));
    const ended = await untilOver(rig, run);
    if (ended !== "done") wrong.push(`the run is ${ended}`);
    wrong.push(...(await published(rig, project)));
    lap("landed and published");
    for (const each of wrong) console.log(`WRONG: ${each}`);
    console.log(`${count} files, ${wrong.length} wrong`);
    return wrong.length === 0;
  } finally {
    await rig.close();
  }
}

/** Everything that a model does there, and what was not as it has to be. */
async function work(ask: Ask, count: number, lap: (what: string) => void): Promise<string[]> {
  const wrong: string[] = [];
  const expectText = (what: string, text: string, pattern: RegExp): void => {
    if (!pattern.test(text.trimEnd())) wrong.push(`${what} said ${JSON.stringify(text.slice(0, 300))}`);
  };
  const shell = (command: string): Promise<string> => ask("run_command", { command });
  expectText("git", await shell("git ls-files | wc -l; git status --short"), new RegExp(`^exit 0\\s+${count + 1}$`));
  lap("a workspace with its first git status was there");
  await ask("edit_file", { path: edited, find: "value = 550;", replace: "value = -1;" });
  await ask("write_file", { path: added, content: "new\n", seen: "none" });
  await shell(`echo 'by a command' > ${written}`);
  const status = await shell("git status --short --untracked-files=all");
  expectText("git", status, new RegExp(`^exit 0\\s+M ${written}\\n M ${edited}\\n\\?\\? ${added}$`));
  // Of very many names and matches the first are told, and that there are more.
  const listed = await ask("list_files", { path: ".", depth: 10 });
  expectText("list_files", listed, /^the first 1000 of more; list a folder of it\n/);
  const found = await ask("search_files", { text: "export const common" });
  expectText("search_files", found, /^200 matches in \d+ files, and more: search for less, or in a folder\n/);
  for (const [what, text, most] of [["list_files", listed, 1010] as const, ["search_files", found, 210] as const])
    if (text.split("\n").length > most) wrong.push(`${what} said ${text.split("\n").length} lines`);
  const one = await ask("search_files", { text: "value = -1;", under: "packages/p5" });
  expectText("search_files", one, new RegExp(`^1 matches in 100 files\\n+${edited}:1: `));
  await ask("finish", { ok: true, message: "three changed" });
  return wrong;
}

async function asModel<T>({ url, token }: Door, act: (ask: Ask) => Promise<T>): Promise<T> {
  const model = new Model({ name: "a model", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await model.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  try {
    return await act(async (name, input) => {
      const { content } = await model.callTool({ name, arguments: input });
      return (content as { text: string }[])[0]?.text ?? "";
    });
  } finally {
    await model.close();
  }
}

async function untilOver(rig: TortureRig, run: string): Promise<string> {
  for (;;) {
    const answer = await rig.ask("run.wait", { run, waitMs: 20_000 });
    if (answer.reached) return answer.run.state;
  }
}

/** What is not right about the person's own checkout, once there is something new on mainline. */
async function published(rig: TortureRig, project: string): Promise<string[]> {
  const { project: seen } = await rig.ask("project.get", { project });
  const isThere = (): boolean => rig.sample.git("rev-parse", "HEAD") === seen.mainline;
  for await (const event of (await rig.daemon.connect()).events({ after: 0, project }))
    if (event.type === "mainline.published" && isThere()) break;
  const changed = rig.sample.git("diff", "--name-status", "HEAD~1", "HEAD");
  const wanted = `M\t${written}\nM\t${edited}\nA\t${added}`;
  const status = rig.sample.git("status", "--short");
  return [
    ...(changed === wanted ? [] : [`landed: ${changed.slice(0, 300)}`]),
    ...(status === "" ? [] : [`the person's checkout differs: ${status.slice(0, 300)}`]),
  ];
}

/** Committed and checked out, without a program for each file. */
function commitMany(sample: SampleProject, count: number): void {
  const lines = ["commit refs/heads/main", "committer Eva <eva@example.org> 1770000000 +0000", "data 4", "many"];
  lines.push("from refs/heads/main^0");
  for (let at = 0; at < count; at++) {
    const text = `export const value = ${at};\nexport const common = 1;\n`;
    lines.push(`M 100644 inline ${nameOf(at)}`, `data ${text.length}`, text);
  }
  execFileSync("git", ["fast-import", "--quiet"], { cwd: sample.root, input: `${lines.join("\n")}\n` });
  sample.git("reset", "--hard", "--quiet");
}
