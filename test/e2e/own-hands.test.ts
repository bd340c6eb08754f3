// An agent of the Agent Client Protocol that does its work by itself, past the door: it offers no files to anybody and asks for no leave.

import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";

/** Writes two files of the project with its own hands, says so, and ends its turn. */
const agent = `#!/bin/sh
say() { printf '{"jsonrpc":"2.0",%s}\\n' "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  case "$line" in
  *'"method":"initialize"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"protocolVersion\\":1,\\"agentCapabilities\\":{}}" ;;
  *'"method":"session/new"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"sessionId\\":\\"s1\\"}" ;;
  *'"method":"session/prompt"'*)
    printf 'a\\nby itself\\n' > "$WORK/a.txt"
    printf 'own\\n' > "$WORK/own.txt"
    touch "$WORK/../$OUT" "/etc/$OUT" "/usr/$OUT" "$HOME/$OUT" 2> /dev/null
    seen=$({ env; cat /proc/[0-9]*/environ; find ~ -type f -exec cat {} +; } 2> /dev/null | tr '\\0' '\\n' | grep -c sk-canary)
    printf 'keys: %s\\n' "$seen" > "$WORK/seen.txt"
    say "\\"id\\":\\"$id\\",\\"result\\":{\\"stopReason\\":\\"end_turn\\"}" ;;
  esac
done
`;

/** What it tries to leave outside of its cage. */
const outside = `signalbox-test-out-of-it-${process.pid}`;

let rig: AssistantRig;
let bin: string;

beforeAll(async () => {
  bin = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
  // Agents have to be able to read it.
  chmodSync(bin, 0o755);
  writeFileSync(join(bin, "by-itself"), agent, { mode: 0o755 });
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  rig = await AssistantRig.open("conversations: []", { "a.txt": "a\n" }, { PATH: path });
  const env = { WORK: rig.sample.root, OUT: outside };
  await rig.client.call("runner.set", { name: "itself", command: ["by-itself"], format: "anthropic", env });
});

afterAll(async () => {
  await rig?.close();
  rmSync(bin, { recursive: true, force: true });
});

const linesOf = async (path: string): Promise<readonly (readonly [string, string | null])[]> => {
  const { lines } = await rig.client.call("project.blame", { project: rig.project, path });
  return lines.map(({ text, run }) => [text, run]);
};

test("[LD15, LD60] what it changed is claimed as after a command, waiting for whoever holds it, and lands; its cage holds", async () => {
  const { client, project } = rig;
  const { claim } = await client.call("claim.make", { project, units: ["file:a.txt"], as: "eva", ttlMs: 600_000 });
  const run = await rig.submit("acp:itself", "By itself", "");
  const waits = async (): Promise<readonly string[]> => (await client.call("run.get", { run })).run.behind;
  await expect.poll(waits, { timeout: 60_000 }).toEqual(["eva"]);
  expect(await linesOf("a.txt")).toEqual([["a", null]]);
  await client.call("claim.release", { claim });
  await rig.inState(run, "done");
  expect(await linesOf("a.txt")).toEqual([
    ["a", null],
    ["by itself", run],
  ]);
  expect(await linesOf("own.txt")).toEqual([["own", run]]);
  expect((await client.call("trash.list", { run })).items).toEqual([]);
  // With hands of its own it is in the same cage as ever: it reaches nothing outside, and finds no key.
  expect(await linesOf("seen.txt")).toEqual([["keys: 0", run]]);
  const places = [dirname(rig.sample.root), "/etc", "/usr", homedir()];
  expect(places.filter((folder) => existsSync(join(folder, outside)))).toEqual([]);
});
