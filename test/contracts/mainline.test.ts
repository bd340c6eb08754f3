import path from "node:path";
import { onTestFinished } from "vitest";
import { GitMainline } from "../../src/adapters/git/git-mainline.ts";
import { MemoryMainline } from "../../src/adapters/git/memory-mainline.ts";
import { entryOf } from "../../src/core/landing/entry.ts";
import { Person } from "../support/git/person.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { describeMainline, type MainlineWorld } from "./mainline.contract.ts";

describeMainline("memory", () => Promise.resolve(inMemory()));
describeMainline("git", withGit);

function inMemory(): MainlineWorld {
  const mainline = new MemoryMainline();
  const { person } = mainline;
  return {
    mainline,
    personTip: () => Promise.resolve(person.tip),
    commitAsPerson: async (files) => {
      const changes = new Map<string, string | null>();
      for (const [name, text] of Object.entries(files)) {
        changes.set(name, text === null ? null : entryOf("100644", await mainline.writeBlob(Buffer.from(text))));
      }
      const author = { name: "Ann", email: "ann@example.org", atMs: 1_770_000_000_000 };
      person.tip = await mainline.commit({
        parents: person.tip === null ? [] : [person.tip],
        changes,
        message: "by hand",
        author,
      });
      return person.tip;
    },
  };
}

async function withGit(): Promise<MainlineWorld> {
  const folder = makeTempFolder();
  const person = new Person(path.join(folder, "project"));
  person.git("init", "--quiet", "--initial-branch=main");
  const mainline = await GitMainline.open({
    root: person.root,
    repository: path.join(folder, "own"),
    layers: { folder: path.join(folder, "layers") },
  });
  onTestFinished(() => mainline.close());
  return {
    mainline,
    commitAsPerson: (files) => Promise.resolve(person.commit(files)),
    personTip: async () => {
      const { ok, output } = await person.gitLater("rev-parse", "--verify", "--quiet", "refs/heads/main");
      return ok ? output.trim() : null;
    },
  };
}
