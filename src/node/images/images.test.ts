import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { noPodman, Podman } from "../../../test/support/podman.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { Images } from "./images.ts";

const base = "localhost/base:1";
const { getuid: uid, getgid: gid } = process;
const owner = { uid: uid?.() ?? 0, gid: gid?.() ?? 0 };
let wallMs = Date.UTC(2030, 0, 1);
let pins: readonly string[] = [];

/** A history with one commit, of these files. */
const textOf = (blob: string): string => blob.slice(blob.indexOf("=") + 1);

function mainlineOf(files: Readonly<Record<string, string>>): Mainline {
  const entries = new Map(Object.keys(files).map((path) => [path, `100644:${path}=${files[path]}`]));
  const part: Pick<Mainline, "entriesAt" | "listTree" | "readBlob" | "copyBlob"> = {
    entriesAt: async (_commit, paths) => new Map(paths.map((path) => [path, entries.get(path) ?? null])),
    listTree: async () => entries,
    readBlob: async (blob) => new TextEncoder().encode(textOf(blob)),
    copyBlob: async (blob, file) => writeFileSync(file, textOf(blob), { flag: "wx" }),
  };
  return part as Mainline;
}

describe.skipIf(noPodman)("images as folders", () => {
  let podman: Podman;
  let id: string;
  let folder: string;
  let images: Images;

  beforeAll(() => {
    podman = new Podman();
    id = podman.make(base, ["ENV OF=image", "ENV PATH=/opt/bin:/usr/bin", "WORKDIR /data"], ["sh", "cat", "rm"]);
    folder = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    images = open(podman.env);
  });
  afterAll(() => {
    podman.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (env: Podman["env"]): Images =>
    new Images({
      label: "test",
      folder: join(folder, "images"),
      owner,
      as: null,
      env,
      wallMs: () => wallMs,
      pins: async () => pins,
    });
  const use = (agent: string, files: Readonly<Record<string, string>> = {}) => ({
    ...{ mainline: mainlineOf(files), commit: "c".repeat(40), pin: join(folder, `${agent}.json`) },
  });

  /** What is kept; the marks of builds are no images. */
  const kept = (): string[] => readdirSync(join(folder, "images")).filter((name) => name !== "builds");

  test("an image by name becomes a folder once, with what its makers set", async () => {
    const [one, other] = await Promise.all([
      images.systemFor({ name: base }, use("a")),
      images.systemFor({ name: base }, use("b")),
    ]);
    expect(one).toEqual({
      root: join(folder, "images", id, "root"),
      env: { OF: "image", PATH: "/opt/bin:/usr/bin", SIGNALBOX_IMAGE_WORKDIR: "/data" },
    });
    expect(other).toEqual(one);
    expect(kept()).toEqual([id]);
    // Nothing in it gives whoever runs it another's rights.
    expect(statSync(join(one.root, "opt/setuid")).mode & 0o7777).toBe(0o755);
    const [listed] = await images.list();
    expect(listed).toMatchObject({ id, name: base, usedAtMs: wallMs });
    expect(listed?.bytes).toBeGreaterThan(100_000);
    expect(podman.run("ps", "--all", "--quiet")).toBe("");
  });

  test("[IM3] what an agent began with it keeps, whatever the name means by then", async () => {
    const name = "localhost/moving:1";
    podman.run("tag", base, name);
    const before = await images.systemFor({ name }, use("early"));
    podman.make(name, ["ENV V=2"], ["sh"]);
    expect(await open(podman.env).systemFor({ name }, use("early"))).toEqual(before);
    expect(await images.systemAgain(use("early"))).toEqual(before);
    expect(await images.systemAgain(use("nobody"))).toBeUndefined();
    expect((await images.systemFor({ name }, use("late"))).env["V"]).toBe("2");
  });

  test("[SV61] says what is started in it and which folders stay, also where an earlier release took it in", async () => {
    const name = "localhost/started:1";
    const started = ['ENTRYPOINT ["entry.sh"]', 'CMD ["serve", "-p"]', "VOLUME /data", "WORKDIR /srv"];
    const own = podman.make(name, started, ["sh"]);
    const found = await images.serviceFor({ name }, use("service"));
    expect(found).toMatchObject({
      ...{ id: own, root: join(folder, "images", own, "root"), workdir: "/srv" },
      ...{ entrypoint: ["entry.sh"], command: ["serve", "-p"], volumes: ["/data"] },
    });
    const facts = join(folder, "images", own, "image.json");
    const { started: _, ...old } = JSON.parse(readFileSync(facts, "utf8")) as Record<string, unknown>;
    writeFileSync(facts, JSON.stringify(old));
    expect(await images.serviceFor({ name }, use("another"))).toEqual(found);
    const plain = await images.serviceFor({ name: base }, use("plain"));
    expect(plain).toMatchObject({ entrypoint: [], volumes: [] });
  });

  test("[IM4] one from a Dockerfile is built anew when something in it differs, and only then", async () => {
    const files = {
      "box/Dockerfile": `FROM ${base}\nENV BUILT=yes\nCOPY tool /opt/tool\nRUN cat /opt/tool > /made\n`,
      tool: "one\n",
      other: "x",
    };
    const choice = { dockerfile: "box/Dockerfile" };
    const first = await images.systemFor(choice, use("builder", files));
    expect(first.env).toMatchObject({ OF: "image", BUILT: "yes" });
    expect(existsSync(join(first.root, "made"))).toBe(true);
    expect(existsSync(join(first.root, "opt/other"))).toBe(false);
    // Nothing is asked of anybody: there is no podman on this path.
    const alone = open({ ...podman.env, PATH: "/nowhere" });
    expect(await alone.systemFor(choice, use("builder", files))).toEqual(first);
    expect(await images.systemFor(choice, use("second", { ...files, other: "y" }))).toEqual(first);
    const changed = await images.systemFor(choice, use("third", { ...files, tool: "two\n" }));
    expect(changed.root).not.toBe(first.root);
  });

  test("[IM5] what cannot be used says so plainly", async () => {
    podman.make("localhost/bare:1", [], []);
    const before = kept();
    const ask = (name: string, by = images): Promise<unknown> => by.systemFor({ name }, use("unlucky"));
    await expectFault(ask("localhost/bare:1"), "image-unfit", "has no /bin/sh");
    await expectFault(
      ask("localhost/missing:1"),
      "image-failed",
      "localhost/missing:1 is not here and could not be pulled",
    );
    await expectFault(ask(base, open({ PATH: "/nowhere" })), "images-unavailable", "neither podman nor docker");
    const build = (text: string): Promise<unknown> =>
      images.systemFor({ dockerfile: "Dockerfile" }, use("unlucky", { Dockerfile: text }));
    await expectFault(build(`FROM ${base}\nRUN echo broken >&2; false\n`), "image-failed", "broken");
    await expectFault(
      images.systemFor({ dockerfile: "Dockerfile" }, use("unlucky")),
      "image-failed",
      "no file of the project",
    );
    podman.run(
      "import",
      "--arch",
      "s390x",
      `${podman.folder}/${readdirSync(podman.folder).find((each) => each.endsWith(".tar"))}`,
      "localhost/other:1",
    );
    await expectFault(ask("localhost/other:1"), "image-unfit", "on s390x, and this machine");
    expect(kept()).toEqual(before);
  });

  test("[AU1, AU2] containers that a daemon has left are known by its home's label alone", async () => {
    const left = podman.run("create", "--label", "signalbox.home=test", base, "/bin/sh");
    const others = podman.run("create", "--label", "signalbox.home=another", base, "/bin/sh");
    onTestFinished(() => void podman.run("rm", "--force", others));
    const found = await images.leftContainers();
    expect(found).toMatchObject([{ id: left, tool: "podman" }]);
    await found[0]?.remove();
    expect(await images.leftContainers()).toEqual([]);
  });

  test("[IM3] what nobody needs goes when it was long unused, or at once when asked for", async () => {
    await images.systemFor({ name: base }, use("keeper"));
    writeFileSync(join(folder, "images/.new-left"), "");
    await images.sweep();
    pins = [join(folder, "keeper.json"), join(folder, "gone.json")];
    onTestFinished(() => void ([pins, wallMs] = [[], Date.UTC(2030, 0, 1)]));
    await images.prune({ all: true });
    expect(await images.list()).toMatchObject([{ id, inUse: true }]);
    pins = [];
    expect(await images.prune({ all: false })).toEqual([]);
    wallMs += 15 * 24 * 60 * 60_000;
    expect(await images.prune({ all: false })).toMatchObject([{ id }]);
    expect(kept()).toEqual([]);
  });
});
