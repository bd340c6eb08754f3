import path from "node:path";
import { onTestFinished } from "vitest";
import { GitMainline, type GitMainlineOptions } from "../../../src/adapters/git/git-mainline.ts";
import { entryOf } from "../../../src/core/landing/entry.ts";
import type { PublishOutcome } from "../../../src/ports/mainline.ts";
import { makeTempFolder } from "../temp-folder.ts";
import { Person } from "./person.ts";

export const author = { name: "Run r_1", email: "r_1@localhost", atMs: 1_780_000_000_000 };

/** A person with a repository, and our mainline of it. */
export class MainlineRig {
  readonly folder: string;
  readonly person: Person;
  readonly mainline: GitMainline;

  private constructor(folder: string, person: Person, mainline: GitMainline) {
    this.folder = folder;
    this.person = person;
    this.mainline = mainline;
  }

  static async withRepository(
    files?: Record<string, string>,
    options: Partial<GitMainlineOptions> = {},
  ): Promise<MainlineRig> {
    const folder = makeTempFolder();
    return await MainlineRig.of(folder, Person.withRepository(path.join(folder, "project"), files), options);
  }

  static async withFolder(files: Record<string, string>): Promise<MainlineRig> {
    const folder = makeTempFolder();
    const person = new Person(path.join(folder, "project"));
    person.write(files);
    return await MainlineRig.of(folder, person);
  }

  static async of(folder: string, person: Person, options: Partial<GitMainlineOptions> = {}): Promise<MainlineRig> {
    const places = {
      root: person.root,
      repository: path.join(folder, "own"),
      layers: { folder: path.join(folder, "layers") },
    };
    const mainline = await GitMainline.open({ ...places, ...options });
    onTestFinished(() => mainline.close());
    return new MainlineRig(folder, person, mainline);
  }

  /** The same project after the daemon was killed. */
  async reopen(options: Partial<GitMainlineOptions> = {}): Promise<MainlineRig> {
    return await MainlineRig.of(this.folder, this.person, options);
  }

  get repository(): string {
    return path.join(this.folder, "own");
  }

  /** Commits on top of mainline and moves it there. A text is a file, a pair a mode and a text. */
  async land(files: Record<string, string | Uint8Array | readonly [string, string] | null>): Promise<string> {
    const head = await this.mainline.head();
    const commit = await this.make(head, files);
    if (!(await this.mainline.swap(head, commit))) throw new Error("mainline moved meanwhile");
    return commit;
  }

  async make(
    parent: string,
    files: Record<string, string | Uint8Array | readonly [string, string] | null>,
  ): Promise<string> {
    const changes = new Map<string, string | null>();
    for (const [name, content] of Object.entries(files)) {
      const [mode, text] = Array.isArray(content)
        ? (content as [string, string])
        : ["100644", content as string | Uint8Array];
      const blob = mode === "160000" ? (text as string) : await this.mainline.writeBlob(Buffer.from(text ?? ""));
      changes.set(name, content === null ? null : entryOf(mode, blob));
    }
    return await this.mainline.commit({ parents: [parent], changes, message: "landed", author });
  }

  /** Publishes and expects a no; answers why. */
  async refusal(): Promise<string> {
    const outcome: PublishOutcome = await this.mainline.publish();
    return outcome.published ? "it was published" : outcome.why;
  }
}
