// A project: what agents work on, and how names in it are compared.

import type { Egress } from "../egress/egress.ts";
import type { UnitRule } from "../lease/unit.ts";
import type { Derived } from "./derived.ts";
import type { ImageChoice } from "./image.ts";

export type ProcessScope = "project" | "agent";

export type Project = {
  readonly id: string;
  readonly name: string;
  /** The folder as the person gave it; the core never looks into it. */
  readonly root: string;
  foldCase: boolean;
  /** Named commands that only the door starts. */
  processes: Readonly<Record<string, ProjectProcess>>;
  readonly source: ProjectSource;
  /** Tried on every candidate before it becomes mainline, as argv; null lands untested. */
  landingTest: readonly string[] | null;
  /** How long each command on a candidate may take; left out: half an hour (LD47). */
  testTimeMs?: number;
  /** What the commits of its landings say, with named fields; left out or null: what they say by default (LD49). */
  landingMessage?: string | null;
  /** The branch that each run lands on, with `{run}` in it; left out or null: mainline (LD50). */
  landingBranch?: string | null;
  /** Whom its runs may reach. */
  egress: Egress;
  /** What its own commands make of other files: in no change set, and made again on every candidate (LD17). */
  derived: readonly Derived[];
  /** Whether these commands reach what is on the allow-list; left out: they have no network (LD54). */
  derivedNetwork?: boolean;
  /** Further dependency folders that are kept warm, each by the name of the lock file beside it; left out: none. */
  warm?: WarmFolders;
  /** What commands find as their system; null is the machine's own. */
  image: ImageChoice | null;
  /** The commit that mainline stands at, as last recorded. */
  mainline: string;
  /** The commit that the person's branch has of it, and why it has no newer one. */
  published: string;
  notPublished: { readonly commit: string; readonly why: string; readonly how: string } | null;
  removed: boolean;
};

/** Where a project's history comes from, as it was found when it was added. */
export type ProjectSource = {
  readonly kind: "git" | "folder";
  readonly branch: string;
  /** Who is named as the author of landings. */
  readonly author: { readonly name: string; readonly email: string };
};

export type ProjectProcess = { readonly argv: readonly string[]; readonly scope: ProcessScope };

export type WarmFolders = Readonly<Record<string, string>>;

/** Long enough for almost every project's test, and short enough that one that hangs is noticed the same day. */
export const testTimeMsDefault = 30 * 60_000;

export type ProjectAdded = {
  readonly type: "project.added";
  readonly v: 1;
  readonly project: string;
  readonly name: string;
  readonly root: string;
  readonly foldCase: boolean;
  readonly processes: Readonly<Record<string, ProjectProcess>>;
  readonly source: ProjectSource;
  readonly landingTest: readonly string[] | null;
  readonly commit: string;
  /** Left out: nobody is reached. */
  readonly egress?: Egress;
  /** Left out: nothing. */
  readonly derived?: readonly Derived[];
  /** Left out: half an hour. */
  readonly testTimeMs?: number;
};

export type ProjectChanged = {
  readonly type: "project.changed";
  readonly v: 1;
  readonly project: string;
  readonly foldCase: boolean;
  readonly processes: Readonly<Record<string, ProjectProcess>>;
  readonly landingTest: readonly string[] | null;
  /** Left out: as before. */
  readonly egress?: Egress;
  readonly derived?: readonly Derived[];
  readonly warm?: WarmFolders;
  /** Left out: as before; null is none. */
  readonly image?: ImageChoice | null;
  readonly testTimeMs?: number;
  /** Left out: as before; null is the usual one. */
  readonly landingMessage?: string | null;
  /** Left out: as before; null is mainline. */
  readonly landingBranch?: string | null;
  readonly derivedNetwork?: boolean;
};

export type ProjectRemoved = { readonly type: "project.removed"; readonly v: 1; readonly project: string };

export type ProjectEvent = ProjectAdded | ProjectChanged | ProjectRemoved;

/** How units of this project are read. */
export function ruleOf(project: Pick<Project, "foldCase" | "processes">): UnitRule {
  const own = Object.entries(project.processes).filter(([, process]) => process.scope === "agent");
  return { foldCase: project.foldCase, ownProcesses: new Set(own.map(([name]) => name)) };
}
