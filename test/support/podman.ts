// A podman for tests, with images of its own that go when the tests are over. Base images are made of programs that this
// machine has anyway: no registry is asked for anything.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../src/node/images/image-tool.ts";
import { makeImageRoot } from "./image-root.ts";

const hasPodman = spawnSync("podman", ["--version"]).status === 0;
/** Whether tests of images are left out. */
export const noPodman = !hasPodman && process.env["CI"] !== "true";
if (noPodman) console.warn("IMAGES ARE NOT TRIED: podman is not installed (apt-get install podman runc)");

export class Podman {
  readonly folder: string;
  /** The variables that lead to it. */
  readonly own: Readonly<Record<string, string>>;

  constructor() {
    this.folder = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-podman-"));
    const at = (name: string): string => join(this.folder, name);
    const storage = ["[storage]", 'driver = "vfs"', `runroot = "${at("run")}"`, `graphroot = "${at("graph")}"`];
    writeFileSync(at("storage.conf"), `${storage.join("\n")}\n`);
    // Locks that all of root's podmans share are freed by whichever comes to a new store: another one may then wait for ever.
    const alone = ['lock_type = "file"', `tmp_dir = "${at("tmp")}"`];
    const engine = ["[engine]", 'cgroup_manager = "cgroupfs"', 'events_logger = "none"', ...alone];
    writeFileSync(at("containers.conf"), `${engine.join("\n")}\n`);
    this.own = {
      ...{ CONTAINERS_STORAGE_CONF: at("storage.conf"), CONTAINERS_CONF: at("containers.conf") },
      ...{ BUILDAH_ISOLATION: "chroot", XDG_RUNTIME_DIR: this.folder },
    };
  }

  get env(): Env {
    return { ...process.env, ...this.own };
  }

  run(...args: readonly string[]): string {
    return execFileSync("podman", args, { env: this.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }

  /** Makes an image of this name, with these lines of a Dockerfile in its configuration. Answers its id. */
  make(
    name: string,
    changes: readonly string[],
    programs?: readonly string[],
    fill: (root: string) => void = () => undefined,
  ): string {
    const root = mkdtempSync(join(this.folder, "root-"));
    makeImageRoot(root, programs);
    fill(root);
    mkdirSync(join(root, "dev"));
    // As many systems have it: whoever runs it becomes its owner.
    writeFileSync(join(root, "opt/setuid"), "", { mode: 0o755 });
    chmodSync(join(root, "opt/setuid"), 0o4755);
    const archive = `${root}.tar`;
    execFileSync("tar", ["-C", root, "-cf", archive, "."]);
    const said = this.run("import", ...changes.flatMap((change) => ["-c", change]), archive, name);
    return (
      said
        .split("\n")
        .at(-1)
        ?.replace(/^sha256:/, "") ?? ""
    );
  }

  end(): void {
    spawnSync("podman", ["system", "reset", "--force"], { env: this.env });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
