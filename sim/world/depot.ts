// Everything that is made of bytes: the projects' histories, the runs' workspaces, and who wrote what. People commit here
// without asking anybody.

import type { Prng } from "../../src/base/prng.ts";
import type { Entry } from "../../src/core/landing/entry.ts";
import { findClashes } from "../../src/core/landing/kin.ts";
import type { LogModel } from "./log-model.ts";
import { hasEnded, placeOf, rootOf } from "./run-model.ts";
import { SimRepo, type Commit } from "./sim-repo.ts";
import { SimWorkspace } from "./sim-workspace.ts";
import { Authors, entryFrom, wordsMax, wordsOf } from "./words.ts";

/** Mainline has moved. */
export type Made = { readonly project: string; readonly repo: SimRepo; readonly commit: Commit };

const serviceAuthor = "service";

export class Depot {
  readonly authors = new Authors();
  readonly #model: LogModel;
  readonly #onMade: (made: Made) => void;
  readonly #repos = new Map<string, SimRepo>();
  readonly #workspaces = new Map<string, SimWorkspace>();

  constructor(model: LogModel, onMade: (made: Made) => void) {
    this.#model = model;
    this.#onMade = onMade;
  }

  /** A history with some of these files in it. Answers the commit that mainline begins at. */
  begin(name: string, units: readonly string[], prng: Prng): string {
    const tree = new Map<string, string>();
    const density = prng.pick([0.2, 0.6, 0.9]);
    for (const path of filesOf(units)) {
      if (!prng.chance(density) || findClashes([path], tree.keys(), { foldCase: true }).length > 0) continue;
      tree.set(path, entryFrom(Array.from({ length: wordsMax }, () => this.authors.write("start", []))));
    }
    this.#repos.set(name, new SimRepo(name, tree));
    return name;
  }

  repoOf(project: string): SimRepo {
    const repo = this.#repos.get(this.#model.projects.get(project)?.start ?? "");
    if (repo === undefined) throw new Error(`project ${project} has no history`);
    return repo;
  }

  repos(): Iterable<SimRepo> {
    return this.#repos.values();
  }

  /** The workspace of a run's family, as far as the log has decided over it. */
  workspaceOf(run: string): SimWorkspace {
    const known = this.#model.runs.get(run);
    if (known === undefined) throw new Error(`run ${run} is not known`);
    const root = rootOf(this.#model, known);
    const place = placeOf(this.#model, root);
    let workspace = this.#workspaces.get(place);
    if (workspace === undefined) {
      const foldCase = this.#model.projects.get(root.project)?.foldCase ?? false;
      workspace = new SimWorkspace(this.repoOf(root.project), foldCase);
      if (root.fork !== null && !hasEnded(root)) {
        workspace.move(root.fork.commit, []);
        for (const work of root.fork.works) workspace.recall(work, { onto: work.base });
      }
      this.#workspaces.set(place, workspace);
    }
    // Whoever was in an agent before has no say over its workspace any more.
    if (root.agent === null || this.#model.agents.get(root.agent)?.run === root.id) workspace.catchUp(root.placings);
    return workspace;
  }

  /** The one of a living agent, whoever was in it. */
  workspaceIn({ id, project }: { readonly id: string; readonly project: string }): SimWorkspace {
    const foldCase = this.#model.projects.get(project)?.foldCase ?? false;
    const workspace = this.#workspaces.get(id) ?? new SimWorkspace(this.repoOf(project), foldCase);
    this.#workspaces.set(id, workspace);
    return workspace;
  }

  /** A service of an agent writes into a file of the workspace, and asks nobody. */
  scribble(agent: string, prng: Prng): void {
    const workspace = this.#workspaces.get(agent);
    const paths = workspace?.paths().toSorted() ?? [];
    if (workspace === undefined || paths.length === 0) return;
    const path = prng.pick(paths);
    if (workspace.hasRoomFor(path)) this.write(workspace, path, serviceAuthor, prng);
  }

  /** An agent is gone, and its workspace with it. What its services wrote a person has given up. */
  dropAgent(agent: string): void {
    const left =
      this.#workspaces
        .get(agent)
        ?.dirty()
        .flatMap(({ work }) => wordsOf(work)) ?? [];
    this.authors.rewrote(left.filter((word) => word.startsWith(serviceAuthor)));
    this.#workspaces.delete(agent);
  }

  workspaces(): Iterable<readonly [run: string, workspace: SimWorkspace]> {
    return this.#workspaces;
  }

  /** The run is gone, and its workspace with it. */
  drop(run: string): void {
    this.#workspaces.delete(run);
  }

  /** Writes one word of a file, or more; what was there is known to whoever writes. */
  write(workspace: SimWorkspace, path: string, by: string, prng: Prng): void {
    const before = workspace.workOf(path);
    workspace.write(path, this.#edited(before, by, prng, workspace.removed.get(path) ?? []));
    workspace.removed.delete(path);
    this.authors.rewrote(gone(before, workspace.workOf(path)));
  }

  remove(workspace: SimWorkspace, path: string): void {
    const words = wordsOf(workspace.workOf(path));
    this.authors.rewrote(words);
    workspace.removed.set(path, [...(workspace.removed.get(path) ?? []), ...words]);
    workspace.write(path, null);
  }

  /** Whoever works in a workspace looks at mainline's side of a path on which two have met. */
  show(workspace: SimWorkspace, path: string, theirs: Entry): void {
    workspace.shown.add(`${path} ${theirs}`);
  }

  /** A run makes one of both sides, if it has looked at the other one; else of what it knows (LD31). */
  resolve(workspace: SimWorkspace, path: string, theirs: Entry, by: string): void {
    const ours = workspace.workOf(path);
    const known = workspace.shown.has(`${path} ${theirs}`) ? theirs : null;
    const sides = [wordsOf(ours), wordsOf(known)];
    const words = Array.from({ length: wordsMax }, (_, at) => {
      const both = sides.map((words) => words[at]).filter((word) => word !== undefined);
      return this.authors.write(by, [...both, ...(workspace.removed.get(path) ?? [])]);
    });
    workspace.put(path, theirs, entryFrom(words));
    this.authors.rewrote(wordsOf(ours));
  }

  /** Somebody commits on top of mainline, as people do. */
  commitByHand(project: string, units: readonly string[], prng: Prng): void {
    const repo = this.repoOf(project);
    const changes = new Map<string, Entry>();
    const { tree } = repo.commit(repo.head);
    const foldCase = true;
    for (let left = prng.between(1, 2); left > 0; left--) {
      const path = prng.pick(filesOf(units));
      if (changes.has(path)) continue;
      const before = tree.get(path) ?? null;
      const others = [...tree.keys()].filter((each) => each !== path && changes.get(each) !== null);
      const fresh = [...changes].filter(([each, entry]) => each !== path && entry !== null).map(([each]) => each);
      if (before !== null && prng.chance(0.2)) changes.set(path, null);
      else if (findClashes([path], [...others, ...fresh], { foldCase }).length === 0)
        changes.set(path, this.#edited(before, "person", prng, []));
    }
    if (changes.size === 0) return;
    const commit = repo.make(repo.head, changes, null);
    this.swap(project, repo.head, commit);
  }

  /** Moves mainline, if it stands where it is thought to stand. */
  swap(project: string, from: string, commit: Commit): boolean {
    const repo = this.repoOf(project);
    if (!repo.swap(from, commit.id)) return false;
    this.#onMade({ project, repo, commit });
    return true;
  }

  /** Puts what a run has landed on its branch, and says whether it is there. */
  putBranch(project: string, branch: string, from: string | null, commit: Commit): boolean {
    const repo = this.repoOf(project);
    const how = repo.putBranch(branch, from, commit.id);
    if (how === "put") this.#onMade({ project, repo, commit });
    return how !== "in the way";
  }

  #edited(before: Entry, by: string, prng: Prng, shown: readonly string[]): string {
    const words = wordsOf(before);
    const at = prng.below(wordsMax);
    const all = words.length === 0 || prng.chance(0.1);
    const edited = Array.from({ length: wordsMax }, (_, place) => {
      const word = words[place];
      if (!all && place !== at && word !== undefined) return word;
      return this.authors.write(by, word === undefined ? shown : [word, ...shown]);
    });
    return entryFrom(edited);
  }
}

export function filesOf(units: readonly string[]): string[] {
  return units.filter((unit) => unit.startsWith("file:")).map((unit) => unit.slice("file:".length));
}

/** Words that a write left out. */
function gone(before: Entry, after: Entry): string[] {
  const stays = new Set(wordsOf(after));
  return wordsOf(before).filter((word) => !stays.has(word));
}
