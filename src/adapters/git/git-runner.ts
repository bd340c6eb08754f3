// The one place that starts git. It is given argv and never a shell, an environment of ours alone, a repository by name
// and settings that outrank every configuration file, so that no hook, filter, driver, helper or alias is ever run.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../base/fault.ts";

/** Which repository a command is about. It is always named: git never goes looking for one. */
export type GitPlace = {
  readonly gitDir: string;
  readonly workTree?: string;
  readonly indexFile?: string;
};

export type GitOptions = {
  readonly input?: string | Uint8Array;
  /** Exits that are answers. Any other is a fault. */
  readonly exits?: readonly number[];
  readonly outputBytesMax?: number;
  readonly timeMsMax?: number;
  /** Only for the one fetch from a folder of this machine. */
  readonly mayReadOthers?: boolean;
  readonly settings?: readonly string[];
};

export type GitAnswer = { readonly exit: number; readonly out: Buffer; readonly text: string; readonly error: string };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const outputBytesMax = 256 * 1024 * 1024;
const timeMsMax = 10 * 60_000;
const errorBytesMax = 8192;

// What is set here outranks the repository's own configuration, also that of the person's repository.
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=false",
  "core.sshCommand=false",
  "core.alternateRefsCommand=true",
  "core.quotePath=false",
  "core.fsync=all",
  // What is larger is neither compared with others nor held in memory whole.
  "core.bigFileThreshold=32m",
  "credential.helper=",
  "diff.external=",
  "commit.gpgSign=false",
  "gpg.program=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.writeCommitGraph=false",
  "protocol.allow=never",
];

export class GitRunner {
  readonly #program: string;

  constructor(program = "git") {
    this.#program = program;
  }

  async run(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    const child = this.start(place, args, options);
    const ended = endOf(child, args, options);
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    return checked(await ended, args, options);
  }

  /** What a command writes goes into a stream, however much it is. */
  async runInto(place: GitPlace, args: readonly string[], target: Writable): Promise<void> {
    const child = this.start(place, args);
    child.stdin.on("error", () => undefined);
    child.stdin.end();
    const stderr = collect(child.stderr, errorBytesMax);
    const exit = new Promise<number>((resolve) => {
      child.once("error", () => resolve(127));
      child.once("close", (code) => resolve(code ?? 128));
    });
    await pipeline(child.stdout, target).catch((error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    });
    checked({ exit: await exit, out: Buffer.alloc(0), text: "", error: (await stderr).toString() }, args, {});
  }

  /** Two commands, the second reading what the first writes. */
  async pipe(
    from: readonly [GitPlace, readonly string[], GitOptions?],
    to: readonly [GitPlace, readonly string[], GitOptions?],
  ): Promise<void> {
    const source = this.start(...from);
    const sink = this.start(...to);
    source.stdin.on("error", () => undefined);
    source.stdin.end(from[2]?.input ?? "");
    const stderr = collect(source.stderr, errorBytesMax);
    const exit = new Promise<number>((resolve) => {
      source.once("error", () => resolve(127));
      source.once("close", (code) => resolve(code ?? 128));
    });
    const ended = endOf(sink, to[1], to[2] ?? {});
    const isRead = await pipeline(source.stdout, sink.stdin).then(
      () => true,
      () => false,
    );
    const answer = await ended;
    // Where the reader was content or gave up early, the writer's broken pipe says nothing.
    if (!isRead) source.kill("SIGKILL");
    const wrote = { exit: await exit, out: answer.out, text: "", error: (await stderr).toString() };
    if (isRead) checked(wrote, from[1], {});
    checked(answer, to[1], to[2] ?? {});
  }

  /** Starts git and leaves the rest to the caller. */
  start(place: GitPlace, args: readonly string[], options: GitOptions = {}): Child {
    const flags = [
      ...settings,
      ...(options.mayReadOthers === true ? ["protocol.file.allow=always"] : []),
      ...(options.settings ?? []),
    ];
    return spawn(
      this.#program,
      ["--no-pager", "--literal-pathspecs", "--no-replace-objects", ...flags.flatMap((flag) => ["-c", flag]), ...args],
      { cwd: place.workTree ?? place.gitDir, env: toEnvironment(place, options), stdio: ["pipe", "pipe", "pipe"] },
    );
  }
}

function toEnvironment(place: GitPlace, options: GitOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    LANG: "C",
    LC_ALL: "C",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // Unlike the settings, this one also reaches the program at the other end of a fetch.
    GIT_ALLOW_PROTOCOL: options.mayReadOthers === true ? "file" : "",
    GIT_AUTHOR_NAME: "Signalbox",
    GIT_AUTHOR_EMAIL: "signalbox@localhost",
    GIT_COMMITTER_NAME: "Signalbox",
    GIT_COMMITTER_EMAIL: "signalbox@localhost",
    GIT_DIR: place.gitDir,
    ...(place.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
  };
}

async function endOf(child: Child, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const bytesMax = options.outputBytesMax ?? outputBytesMax;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, options.timeMsMax ?? timeMsMax);
  const exit = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 128));
  });
  try {
    const [out, error, code] = await Promise.all([
      collect(child.stdout, bytesMax, () => child.kill("SIGKILL")),
      collect(child.stderr, errorBytesMax),
      exit,
    ]);
    if (late) throw gitFailed(args, "it took too long");
    if (out.byteLength > bytesMax) throw gitFailed(args, `it wrote more than ${bytesMax} bytes`);
    return {
      exit: code,
      out,
      error: error.toString(),
      get text() {
        return out.toString().trim();
      },
    };
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw gitFailed(args, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads to the end, and keeps at most a little more than the bound: enough to see that it was passed. */
async function collect(stream: Readable, bytesMax: number, onTooMuch?: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size <= bytesMax) chunks.push(chunk);
    size += chunk.byteLength;
    if (size > bytesMax) onTooMuch?.();
  });
  await new Promise((resolve) => {
    stream.once("close", resolve);
    stream.once("error", resolve);
  });
  return Buffer.concat(chunks);
}

function checked(answer: GitAnswer, args: readonly string[], options: GitOptions): GitAnswer {
  if ((options.exits ?? [0]).includes(answer.exit)) return answer;
  throw gitFailed(args, `${shorten(answer.error)} (exit ${answer.exit})`);
}

export function gitFailed(args: readonly string[], why: string, cause?: unknown): Fault {
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  return new Fault("git-failed", { retry: "later", message: `git ${command} failed: ${why}`, cause });
}

function shorten(error: string): string {
  const text = error.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return text.length > 400 ? `${text.slice(0, 400)} …` : text || "it says nothing";
}
