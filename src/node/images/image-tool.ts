// The program of this machine that gets images: podman, or docker where there is a daemon for it. It is asked for files
// once, and has no part in what agents do with them.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";

const tools = ["podman", "docker"] as const;
const labelName = "signalbox.home";
const askMsMax = 30_000;
const makeMsMax = 60 * 60_000;
const complaintChars = 4000;
/** What podman says on the way: that it tries once more, and the like. */
const isAside = /^time="[^"]*" level=(?:debug|info|warning) /;

export type ImageFacts = {
  /** The digest of its configuration: the same name may mean another one tomorrow. */
  readonly id: string;
  readonly os: string;
  readonly architecture: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  /** What is started in it where nobody says otherwise, and what comes before whatever is started. */
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** Folders that it wants to outlive a container. */
  readonly volumes: readonly string[];
};

export type Env = Readonly<Record<string, string | undefined>>;

export class ImageTool {
  readonly name: (typeof tools)[number];
  readonly version: string;
  readonly #env: Env;

  private constructor(name: (typeof tools)[number], version: string, env: Env) {
    this.name = name;
    this.version = version;
    this.#env = env;
  }

  /** The first that answers; else why none does. */
  static async find(env: Env): Promise<ImageTool | { readonly missing: string }> {
    const complaints: string[] = [];
    for (const name of tools) {
      const format = name === "docker" ? "{{.Server.Version}}" : "{{.Client.Version}}";
      const { status, said, complaint } = await run(name, ["version", "--format", format], env, askMsMax);
      if (status === 0) return new ImageTool(name, said.trim(), env);
      complaints.push(`${name}: ${complaint.trim().split("\n").at(-1) ?? ""}`);
    }
    return { missing: complaints.join("; ") };
  }

  /** What is known of an image that is here; undefined where it is not. */
  async look(image: string): Promise<ImageFacts | undefined> {
    const { status, said } = await run(this.name, ["image", "inspect", image], this.#env, askMsMax);
    return status === 0 ? toFacts(said) : undefined;
  }

  async pull(image: string, signal: AbortSignal): Promise<void> {
    await this.#must(`the image ${image} is not here and could not be pulled`, ["pull", "--quiet", image], signal);
  }

  /** Builds what a Dockerfile says, and answers the image's name. */
  async build(folder: string, dockerfile: string, temp: string, signal: AbortSignal): Promise<string> {
    const own = await mkdtemp(join(temp, "build-"));
    try {
      const idFile = join(own, "id");
      // Docker's older builder leaves the container of a step that failed, unless it is told.
      const how = ["--quiet", "--force-rm", "--iidfile", idFile];
      const args = ["build", ...how, "--file", join(folder, dockerfile), folder];
      await this.#must(`${dockerfile} could not be built`, args, signal);
      return (await readFile(idFile, "utf8")).trim();
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** Writes its files into one archive. The container that this takes has a label while it is there. */
  async export(image: string, archive: string, label: string, signal: AbortSignal): Promise<void> {
    const failure = `the files of ${image} could not be read`;
    const create = ["create", "--pull=never", "--label", `${labelName}=${label}`, image, "/bin/sh"];
    const container = (await this.#must(failure, create, signal)).trim();
    try {
      // Not by way of a pipe: what Node makes is a socket, which podman cannot open by a name.
      await this.#must(failure, ["export", "--output", archive, container], signal);
    } finally {
      await this.remove(container);
    }
  }

  /** The containers with a label. */
  async labelled(label: string): Promise<string[]> {
    const args = ["ps", "--all", "--quiet", "--no-trunc", "--filter", `label=${labelName}=${label}`];
    const { status, said } = await run(this.name, args, this.#env, askMsMax);
    return status === 0 ? said.split("\n").filter(Boolean) : [];
  }

  async remove(container: string): Promise<void> {
    await run(this.name, ["rm", "--force", container], this.#env, askMsMax);
  }

  async #must(failure: string, args: readonly string[], signal: AbortSignal): Promise<string> {
    const { status, said, complaint } = await run(this.name, args, this.#env, makeMsMax, signal);
    if (status === 0) return said;
    throw failed(failure, complaint || said);
  }
}

type Outcome = { readonly status: number | null; readonly said: string; readonly complaint: string };

function run(
  name: string,
  args: readonly string[],
  env: Env,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Outcome> {
  const limit = AbortSignal.timeout(timeoutMs);
  const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const child = spawn(name, args, { cwd: "/", env: { ...env }, stdio: ["ignore", "pipe", "pipe"], signal: until });
  return outcomeOf(child);
}

/** Never rejects: what could not even be started has no status. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  return new Promise((resolve) => {
    let [said, complaint] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-complaintChars)));
    child.once("error", (error) => resolve({ status: null, said, complaint: complaint || error.message }));
    child.once("close", (status) => resolve({ status, said, complaint }));
  });
}

type Inspected = {
  readonly Id: string;
  readonly Os: string;
  readonly Architecture: string;
  readonly Config?: {
    readonly Env?: readonly string[] | null;
    readonly WorkingDir?: string;
    readonly Entrypoint?: readonly string[] | string | null;
    readonly Cmd?: readonly string[] | string | null;
    readonly Volumes?: Readonly<Record<string, unknown>> | null;
  } | null;
};

function toFacts(json: string): ImageFacts | undefined {
  const [image] = JSON.parse(json) as readonly Inspected[];
  if (image === undefined) return undefined;
  const { Id, Os, Architecture, Config } = image;
  const pairs = (Config?.Env ?? []).map((each) => [
    each.slice(0, each.indexOf("=")),
    each.slice(each.indexOf("=") + 1),
  ]);
  return {
    ...{ id: Id.replace(/^sha256:/, ""), os: Os, architecture: Architecture },
    ...{ env: Object.fromEntries(pairs) as Record<string, string>, workdir: Config?.WorkingDir || "/" },
    ...{ entrypoint: toWords(Config?.Entrypoint), command: toWords(Config?.Cmd) },
    volumes: Object.keys(Config?.Volumes ?? {}),
  };
}

/** Older engines have a text for the shell as it is. */
function toWords(said: readonly string[] | string | null | undefined): readonly string[] {
  return typeof said === "string" ? ["/bin/sh", "-c", said] : (said ?? []);
}

function failed(what: string, complaint: string): Fault {
  const lines = complaint.split("\n").filter((line) => !isAside.test(line));
  const why = lines.join("\n").trim() || "it ended without a word";
  return new Fault("image-failed", { retry: "never", message: `${what}: ${why}` });
}
