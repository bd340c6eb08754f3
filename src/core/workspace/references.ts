// Which commits and blobs of a project's repository somebody may still ask for. Refs are not known here: whoever collects
// adds what those reach (LD38, LD44).

import type { Logged } from "../events.ts";
import { blobOf, kindOf, type Entry } from "../landing/entry.ts";
import type { Run } from "../run/run-state.ts";
import type { State } from "../state.ts";
import type { Work } from "./workspace-state.ts";

export class References {
  readonly commits = new Set<string>();
  readonly blobs = new Set<string>();

  addCommit(commit: string | null | undefined): void {
    if (commit !== null && commit !== undefined) this.commits.add(commit);
  }

  addEntry(entry: Entry | undefined): void {
    if (entry !== null && entry !== undefined && kindOf(entry) !== "submodule") this.blobs.add(blobOf(entry));
  }

  addWork({ base, work }: Work): void {
    this.addEntry(base);
    this.addEntry(work);
  }

  addWorks(works: readonly Work[]): void {
    for (const work of works) this.addWork(work);
  }

  addAll(other: References): void {
    for (const commit of other.commits) this.commits.add(commit);
    for (const blob of other.blobs) this.blobs.add(blob);
  }
}

/** What the state names of the repository of a folder. A folder that was removed and added again has one repository. */
export function referencesIn(state: State, root: string): References {
  const found = new References();
  const ids = new Set<string>();
  for (const project of state.projects.values()) {
    if (project.root !== root) continue;
    ids.add(project.id);
    for (const commit of [project.mainline, project.published, project.notPublished?.commit]) found.addCommit(commit);
  }
  for (const run of state.runs.values()) if (ids.has(run.project)) addRun(found, run);
  for (const item of state.trash.values()) if (ids.has(item.project)) found.addWork(item);
  return found;
}

/** What the state names of the blob store: scripts of runs, and what comes along with tasks (TK11). */
export function blobsIn({ runs, tasks }: State): Set<string> {
  const scripts = [...runs.values()].flatMap(({ script }) => script ?? []);
  const attached = [...tasks.values()].flatMap(({ attachments }) =>
    attachments.flatMap((each) => (each.kind === "file" ? each.blob : [])),
  );
  return new Set([...scripts, ...attached]);
}

function addRun(found: References, run: Run): void {
  const { workspace, approved, landing, intended, landed, rewinding, fork } = run;
  for (const commit of [workspace.commit, fork?.commit, landed, landing?.parent, landing?.candidate, ...intended])
    found.addCommit(commit);
  found.addWorks([...workspace.dirty.values(), ...(rewinding?.works ?? [])]);
  for (const { theirs } of workspace.conflicts.values()) found.addEntry(theirs);
  for (const { base, entry } of [...(approved ?? []), ...withBase(landing?.entries ?? [])]) {
    found.addEntry(base);
    found.addEntry(entry);
  }
}

function withBase(entries: readonly { readonly entry: Entry }[]): { readonly base: Entry; readonly entry: Entry }[] {
  return entries.map(({ entry }) => ({ base: null, entry }));
}

/**
 * What the record of each run names, read event by event: every step can be shown again for as long as its run is there. What
 * was purged is not named any more, whichever step wrote it; written again, it is.
 */
export class RecordReferences {
  readonly #runs = new Map<string, References>();
  readonly #trashed = new Map<string, { readonly run: string; readonly blob: string }>();

  note(event: Logged): void {
    switch (event.type) {
      case "run.submitted":
        this.#of(event.run).addWorks(event.fork?.works ?? []);
        return this.#of(event.run).addCommit(event.fork?.commit);
      case "call.finished":
      case "run.stopped":
      case "works.found":
      case "rewind.begun":
        return this.#of(event.run).addWorks(event.works);
      case "lease.ready":
        return this.#ready(event);
      case "run.approved":
        for (const { entry } of event.approved) this.#of(event.run).addEntry(entry);
        return;
      case "run.rewound":
        this.#of(event.run).addWorks(event.works);
        return this.#setAside(event.run, event.givenUp, event.ids);
      case "landing.intended":
        this.#of(event.run).addCommit(event.parent);
        return;
      case "run.landed":
        this.#of(event.run).addCommit(event.commit);
        return;
      case "paths.set-aside":
        return this.#setAside(event.run, event.works, event.ids);
      case "agent.set-aside":
        return this.#setAside(event.agent, event.works, event.ids);
      case "trash.purged":
        for (const id of event.ids) this.#purge(id);
        return;
      case "run.removed":
        this.#runs.delete(event.run);
        return;
      default:
        return;
    }
  }

  /** What the records of the runs of a folder's projects name. */
  of(state: State, root: string): References {
    const found = new References();
    for (const [id, references] of this.#runs) {
      const project = state.runs.get(id)?.project;
      if (project !== undefined && state.projects.get(project)?.root === root) found.addAll(references);
    }
    return found;
  }

  /** Where a run's own workspace stood from then on; an outside holder has none. */
  #ready({ family, commit, works }: Extract<Logged, { type: "lease.ready" }>): void {
    if (commit === null) return;
    const references = this.#of(family.slice(0, family.lastIndexOf(".")));
    references.addCommit(commit);
    references.addWorks(works);
  }

  #setAside(run: string, works: readonly Work[], ids: readonly string[]): void {
    works.forEach(({ work }, at) => {
      const id = ids[at];
      if (id !== undefined && work !== null) this.#trashed.set(id, { run, blob: blobOf(work) });
    });
  }

  /** Whoever purges wants these bytes gone, also where another step or run once wrote the same. */
  #purge(id: string): void {
    const item = this.#trashed.get(id);
    if (item === undefined) return;
    this.#trashed.delete(id);
    for (const references of this.#runs.values()) references.blobs.delete(item.blob);
  }

  #of(run: string): References {
    const known = this.#runs.get(run) ?? new References();
    this.#runs.set(run, known);
    return known;
  }
}
