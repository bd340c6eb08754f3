// A command in the cage swaps folders and files for links that lead outside, as fast as it can, while every file tool of the
// door works on the same names. Nothing outside is read, written, made or taken away (I45). The canaries are such that the
// agent's own user could touch them, so that only the walk to a path can keep it from doing so.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Prng } from "../../src/base/prng.ts";
import { agentUser } from "../../src/node/keepers/agent-ground.ts";
import { TortureRig } from "./rig/torture-rig.ts";

const secret = "a secret of somebody else";
const insideText = "inside\n";
const callMsMax = 60_000;
/** How many more calls there may be until there were enough swaps. */
const callsMore = 5000;

/** Swaps a folder and a file, counts, and puts right what a tool made meanwhile; until it is told to stop. */
const swapper = `use strict; my ($outside, $n) = ($ARGV[0], 0);
sub write_in { open(my $out, ">", $_[0]); print $out $_[1]; close $out }
mkdir "junk";
until (-e "stop") {
  for (["dir", $outside], ["f", "$outside/file"]) {
    my ($name, $target) = @$_;
    unlink $name if -l $name;
    if (-e "kept-$name") { rename($name, "junk/$name$n"); rename("kept-$name", $name) }
    unless (-e $name) { if ($name eq "f") { write_in("f", "inside\\n") } else { mkdir "dir"; write_in("dir/file", "inside\\n") } }
    symlink($target, "link-$name") unless -l "link-$name";
    rename($name, "kept-$name") && rename("link-$name", $name) && $n++;
  }
  write_in("count", $n) unless $n % 500;
}
write_in("count", $n);
`;

type Call = { readonly tool: string; readonly args: Record<string, unknown> };

export async function symlinkSwaps(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      swaps: { type: "string", default: "100000" },
      calls: { type: "string", default: "2000" },
      seed: { type: "string", default: String(Date.now() % 1e6) },
    },
  });
  const [swaps, calls, seed] = [Number(values.swaps), Number(values.calls), Number(values.seed)];
  console.log(`symlink-swaps: at least ${swaps} swaps against ${calls} calls, seed ${seed}`);
  const canaries = new Canaries();
  const ignored = ["junk", "kept-*", "link-*", "stop", "count"].map((name) => `/${name}\n`).join("");
  const files = { "dir/file": insideText, "dir/sub/deep": insideText, f: insideText, "swap.pl": swapper };
  const rig = await TortureRig.open({ ...files, ".gitignore": ignored }, `symlink-swaps-${seed}-${process.pid}`);
  try {
    const isHot = await canBeMisled(canaries);
    const held = await race(rig, canaries, { swaps, calls, chance: new Prng(seed) });
    return isHot && held;
  } finally {
    await rig.close();
    canaries.remove();
  }
}

async function race(
  rig: TortureRig,
  canaries: Canaries,
  { swaps, calls, chance }: { readonly swaps: number; readonly calls: number; readonly chance: Prng },
): Promise<boolean> {
  await rig.ask("project.add", { root: rig.sample.root, name: "swaps" });
  const { run, door } = await rig.ask("run.submit", { project: "swaps", runner: "mcp", title: "swaps" });
  if (door === null) throw new Error("the run has no door");
  const client = new Client({ name: "torture", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${door.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), { requestInit }));
  const call = async (name: string, given: Record<string, unknown>): Promise<{ text: string; ok: boolean }> => {
    const { content, isError } = await client.callTool({ name, arguments: given }, { timeout: callMsMax });
    return { text: (content as { text?: string }[])[0]?.text ?? "", ok: isError !== true };
  };
  const command = `: ${rig.mark}; exec perl swap.pl ${canaries.folder}`;
  const begun = await call("run_command", { command, background: "swapper" });
  if (!begun.ok) throw new Error(`the swapper did not start: ${begun.text}`);
  const before = canaries.look();
  const wrong: string[] = [];
  const worked = new Map<string, number>();
  let [done, swapped, path] = [0, 0, "f"];
  for (; done < calls || (swapped < swaps && done < calls + callsMore); done++) {
    const { tool, args } = callFor(chance, done, path);
    if (tool === "read_file") path = String(args["path"]);
    const { text, ok } = await call(tool, args);
    if (ok) worked.set(tool, (worked.get(tool) ?? 0) + 1);
    if (text.includes(secret)) wrong.push(`${tool} ${JSON.stringify(args)} was led outside: ${text.slice(0, 200)}`);
    if (done % 50 !== 49) continue;
    const { text: said } = await call("run_command", { command: 'echo "count=$(cat count)"' });
    swapped = Math.max(swapped, Number(/count=(\d+)/.exec(said)?.[1] ?? 0));
  }
  await call("run_command", { command: "touch stop" });
  await client.close();
  await rig.ask("run.stop", { run });
  const left = await rig.leftovers();
  if (swapped < swaps) wrong.push(`only ${swapped} swaps were made`);
  wrong.push(...canaries.changesSince(before), ...left.map((what) => `left over: ${what}`));
  for (const each of wrong) console.log(`WRONG: ${each}`);
  console.log(`worked: ${[...worked].map(([tool, count]) => `${count} ${tool}`).join(", ")}`);
  console.log(`${swapped} swaps, ${done} calls of the door, ${wrong.length} wrong`);
  return wrong.length === 0;
}

/** Each tool in turn, on names that are swapped. Every other time around what is replaced was read just before, as the door wants it. */
function callFor(chance: Prng, number: number, before: string): Call {
  const picked = chance.pick(["dir/file", "dir/sub/deep", "f", `dir/new-${chance.below(5)}`]);
  const path = number % 16 < 8 ? before : picked;
  const content = `written ${number}\n`;
  const calls: readonly Call[] = [
    { tool: "read_file", args: { path } },
    { tool: "write_file", args: { path, content } },
    { tool: "edit_file", args: { path, find: "in", replace: "in " } },
    { tool: "list_files", args: { path: chance.pick([".", "dir"]), depth: 3 } },
    { tool: "search_files", args: { text: "secret", under: chance.pick([".", "dir"]) } },
    { tool: "move", args: { path, to: `dir/moved-${chance.below(5)}` } },
    { tool: "delete", args: { path: chance.pick([path, "dir/sub"]) } },
    {
      tool: "apply_patch",
      args: {
        patch: `*** Begin Patch\n*** Add File: dir/p${number}\n+${content}*** Delete File: ${path}\n*** End Patch`,
      },
    },
  ];
  return calls[number % calls.length] ?? chance.pick(calls);
}

/** The same race against somebody who opens a path as it is spelled: unless that is led outside, it proves nothing. */
async function canBeMisled(canaries: Canaries): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "sb-naive-"));
  writeFileSync(join(folder, "swap.pl"), swapper);
  mkdirSync(join(folder, "dir"));
  for (const name of ["dir/file", "f"]) writeFileSync(join(folder, name), insideText);
  const child = spawn("perl", ["swap.pl", canaries.folder], { cwd: folder, stdio: "ignore" });
  const ended = once(child, "exit");
  let [reads, misled] = [0, 0];
  const untilMs = performance.now() + callMsMax;
  while (misled === 0 && performance.now() < untilMs) {
    reads++;
    try {
      if (readFileSync(join(folder, "dir/file"), "utf8").includes(secret)) misled++;
    } catch {
      // It is just being swapped.
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  writeFileSync(join(folder, "stop"), "");
  await ended;
  rmSync(folder, { recursive: true, force: true });
  canaries.rest();
  console.log(
    misled > 0
      ? `a plain read was led outside after ${reads} tries, so this can fail`
      : "nobody was misled: this proves nothing",
  );
  return misled > 0;
}

/** Files outside that the agent's user may read and write. */
class Canaries {
  readonly folder = mkdtempSync(join(tmpdir(), "sb-canaries-"));
  readonly #paths = ["", "file", "sub", "sub/deep"];

  constructor() {
    mkdirSync(join(this.folder, "sub"));
    for (const name of ["file", "sub/deep"]) writeFileSync(join(this.folder, name), `${secret}\n`);
    const owner = agentUser();
    for (const path of this.#paths) {
      chmodSync(join(this.folder, path), 0o777);
      if (owner !== null) chownSync(join(this.folder, path), owner.uid, owner.gid);
    }
    this.rest();
  }

  /** Last read long ago: whoever reads one now leaves a trace. */
  rest(): void {
    for (const path of this.#paths) utimesSync(join(this.folder, path), 1, 2);
  }

  /** Everything that a touch would change. */
  look(): ReadonlyMap<string, string> {
    return new Map(
      this.#paths.map((path) => {
        const { ino, mode, size, mtimeMs, ctimeMs, atimeMs } = lstatSync(join(this.folder, path));
        return [path, [ino, mode, size, mtimeMs, ctimeMs, atimeMs].join(" ")];
      }),
    );
  }

  changesSince(before: ReadonlyMap<string, string>): string[] {
    const now = this.look();
    const changed = [...now]
      .filter(([path, seen]) => before.get(path) !== seen)
      .map(([path]) => `outside/${path} was touched`);
    const names = readdirSync(this.folder).toSorted().join(" ");
    return names === "file sub" ? changed : [...changed, `outside has ${names}`];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
