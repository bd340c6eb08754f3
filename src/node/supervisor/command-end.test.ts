import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  canChoosePids,
  commandEnv,
  isRunning,
  Pipe,
  pidsIn,
  startStranger,
  startStrangerAs,
} from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { endCommand, endCommands, runCommand, type CommandEnd } from "./command.ts";
import { identify, thisPlace } from "./process-identity.ts";

type Started = {
  readonly folder: string;
  readonly cwd: string;
  readonly ready: Pipe;
  readonly said: string;
  readonly ended: Promise<CommandEnd>;
};

/** Starts a script and waits until it has written to `$READY`. */
async function start(script: string): Promise<Started> {
  const cwd = makeTempFolder();
  const folder = join(cwd, "call");
  const ready = new Pipe(cwd, "ready");
  const env = { ...commandEnv, READY: ready.path };
  const ended = runCommand({ folder, argv: ["/bin/sh", "-c", script], cwd, env }, new AbortController().signal);
  return { folder, cwd, ready, said: await ready.heard(), ended };
}

describe("ending a command", () => {
  test("[EN28] ends a tree of double forks that do not want to go, and asks each of them once", async () => {
    const script = `cat > deaf.sh <<'END'
trap 'echo $$ >> asked' TERM
echo $$ >> pids
[ "$1" = 0 ] || (sh deaf.sh $(($1 - 1)) &)
while :; do sleep 1000 & wait $!; done
END
sh deaf.sh 2 &
until [ -f pids ] && [ "$(wc -l < pids)" = 3 ]; do sleep 0.01; done
echo ready > "$READY"
wait`;
    const { folder, cwd, ended } = await start(script);
    const pids = pidsIn(join(cwd, "pids"));
    expect(pids.filter(isRunning)).toHaveLength(3);
    await endCommand(folder);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(pidsIn(join(cwd, "asked"))).toEqual(pids);
    expect((await ended).exit).toBe(143);
  });

  test("[EN28] gives it time to tidy up", async () => {
    const { folder, cwd, ended } = await start(
      `trap 'echo tidy > tidied; exit 3' TERM; echo ready > "$READY"; while :; do sleep 1000 & wait $!; done`,
    );
    await endCommand(folder);
    expect(readFileSync(join(cwd, "tidied"), "utf8")).toBe("tidy\n");
    expect((await ended).exit).toBe(3);
  });

  test("[EN28] by force gives it none", async () => {
    const { folder, cwd, said, ended } = await start(
      `trap 'echo tidy > tidied' TERM; echo $$ > "$READY"; while :; do sleep 1000 & wait $!; done`,
    );
    await endCommand(folder, { force: true });
    expect(isRunning(Number(said))).toBe(false);
    expect(existsSync(join(cwd, "tidied"))).toBe(false);
    expect((await ended).exit).toBe(137);
  });

  test("[EN28] by force overtakes one that is still being asked", async () => {
    const { folder, said, ready, ended } = await start(
      `trap 'echo asked > "$READY"' TERM; echo $$ > "$READY"; while :; do sleep 1000 & wait $!; done`,
    );
    const gently = endCommand(folder);
    expect(await ready.heard()).toBe("asked");
    await endCommand(folder, { force: true });
    expect(isRunning(Number(said))).toBe(false);
    await gently;
    expect((await ended).exit).toBe(137);
  });

  test("[EN26] finds what was left behind after the command itself had ended", async () => {
    const { folder, cwd, ended } = await start(`(sleep 1000 & echo $! > pids); echo ready > "$READY"`);
    expect((await ended).exit).toBe(0);
    const [pid = 0] = pidsIn(join(cwd, "pids"));
    expect(isRunning(pid)).toBe(true);
    await endCommand(folder);
    expect(isRunning(pid)).toBe(false);
  });

  test("[EN26] finds what left its session", async () => {
    const { folder, said } = await start(`setsid sh -c 'echo $$ > "$READY"; exec sleep 1000' & wait`);
    expect(isRunning(Number(said))).toBe(true);
    await endCommand(folder);
    expect(isRunning(Number(said))).toBe(false);
  });

  test("[EN26] finds what forgot its environment, while its leader lives", async () => {
    const { folder, said } = await start(`env -i READY="$READY" sh -c 'echo $$ > "$READY"; exec sleep 1000' & wait`);
    expect(isRunning(Number(said))).toBe(true);
    await endCommand(folder);
    expect(isRunning(Number(said))).toBe(false);
  });

  test("[EN26] finds the children of what it found, whatever they forgot", async () => {
    const inner = `echo $$ > "$READY"; exec sleep 1000`;
    const { folder, said } = await start(`env -i READY="$READY" setsid sh -c '${inner}' & wait`);
    expect(isRunning(Number(said))).toBe(true);
    await endCommand(folder);
    expect(isRunning(Number(said))).toBe(false);
  });

  test("[EN28] of several ends them together", async () => {
    const script = `echo $$ > "$READY"; exec sleep 1000`;
    const started = await Promise.all([start(script), start(script), start(script)]);
    await endCommands(started.map(({ folder }) => folder));
    expect(started.map(({ said }) => Number(said)).filter(isRunning)).toEqual([]);
  });

  test("that was never started is done at once", async () => {
    const folder = join(makeTempFolder(), "call");
    await endCommand(folder);
    expect(existsSync(folder)).toBe(false);
  });

  test("[EN28] waits for a start that is under way", async () => {
    const cwd = makeTempFolder();
    const folder = join(cwd, "call");
    const argv = ["/bin/sh", "-c", "echo $$ > pids; exec sleep 1000"];
    const ended = runCommand({ folder, argv, cwd, env: commandEnv }, new AbortController().signal);
    await endCommand(folder);
    const { exit } = await ended;
    expect(exit === 0).toBe(false);
    expect(pidsIn(join(cwd, "pids")).filter(isRunning)).toEqual([]);
  });
});

describe("a stranger", () => {
  test("[EN26] of the same name survives", async () => {
    const argv = ["/bin/sh", "-c", "while :; do sleep 1000 & wait $!; done"] as const;
    const stranger = await startStranger(argv);
    const { folder, said } = await start(
      `echo $$ > "$READY"; exec /bin/sh -c "while :; do sleep 1000 & wait \\$!; done"`,
    );
    await endCommand(folder);
    expect(isRunning(Number(said))).toBe(false);
    expect(isRunning(stranger.pid)).toBe(true);
  });

  test("[EN26] that a forged leader points at survives", async () => {
    const stranger = await startStranger(["sleep", "1000"], { detached: true });
    const real = identify(stranger.pid);
    const folder = join(makeTempFolder(), "call");
    mkdirSync(folder);
    writeFileSync(join(folder, "started"), "a-mark\n");
    const older = String(BigInt(real?.startTicks ?? 0) - 1n);
    // The last of them is the stranger's own: only the mark tells that it is none of ours.
    for (const startTicks of ["0", older, "", "x", "99999999999", real?.startTicks]) {
      const stat = `${stranger.pid} (sh) S 1 ${stranger.pid} ${stranger.pid} ${"0 ".repeat(15)}${startTicks} 0`;
      writeFileSync(join(folder, "leader"), `${thisPlace()} ${stat}\n`);
      await endCommand(folder, { force: true });
    }
    const stat = `${stranger.pid} (sh) S 1 ${stranger.pid} ${stranger.pid} ${"0 ".repeat(15)}${real?.startTicks} 0`;
    writeFileSync(join(folder, "leader"), `another-boot/pid:[1] ${stat}\n`);
    await endCommand(folder, { force: true });
    expect(isRunning(stranger.pid)).toBe(true);
  });

  test.skipIf(!canChoosePids())("[EN26] that got the pid of a leader long gone survives", async () => {
    const { folder, said, ended } = await start(`echo $PPID > "$READY"`);
    await ended;
    await expect.poll(() => isRunning(Number(said))).toBe(false);
    const stranger = await startStrangerAs(Number(said));
    expect(identify(stranger.pid)).toBeDefined();
    await endCommand(folder);
    await endCommand(folder, { force: true });
    expect(isRunning(stranger.pid)).toBe(true);
  });
});
