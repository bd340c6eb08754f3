// The units of projects as a tree: what is held, what is waited for, and what was held not long ago. Pure.

import type { Lease, Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import { queueOf, waitersFor } from "./queues.ts";
import { keyOfUnit, type UnitPast } from "./unit-past.ts";
import { doUnitsTouch, splitUnit, type UnitKind } from "./units.ts";

export type UnitRow = {
  /** Unique over all projects. */
  readonly id: string;
  readonly project: string;
  /** Empty for the row of a project. */
  readonly unit: string;
  readonly kind: UnitKind | "project";
  readonly name: string;
  readonly depth: number;
  readonly lease: Lease | null;
  /** A lease on a folder further up that covers it. */
  readonly by: Lease | null;
  readonly queue: readonly QueueEntry[];
  /** How many units beneath are held, of those that were read. */
  readonly heldBelow: number;
  /** Whether everything was read that may stand in its way. Else nobody can say that it is free. */
  readonly isRead: boolean;
  /** Whether anything is beneath it, and whether that is shown. */
  readonly isOpen: boolean | null;
};

export type TreeFilter = {
  readonly project: string | null;
  readonly find: string;
  readonly only: "all" | "held" | "contended";
  /** Ids of folders that are folded up. */
  readonly closed: ReadonlySet<string>;
};

/** Of the units that were held not long ago so many are shown, the newest: they must not hide what is held. Whoever types a name finds all. */
const freedMax = 200;

type Node = {
  readonly unit: string;
  readonly kind: UnitRow["kind"];
  readonly name: string;
  readonly children: Map<string, Node>;
};

export function toUnitRows(
  locks: Locks,
  past: UnitPast,
  names: ReadonlyMap<string, string>,
  filter: TreeFilter,
): UnitRow[] {
  const leases = new Map(locks.leases.map((lease) => [keyOfUnit(lease), lease]));
  const sought = filter.find.trim().toLowerCase();
  const isSought = ({ project, unit }: Pick<Lease, "project" | "unit">): boolean =>
    sought === "" || `${unit} ${leases.get(keyOfUnit({ project, unit }))?.holder ?? ""}`.toLowerCase().includes(sought);
  const units = unitsOf(locks, past, filter.only, sought === "" ? freedMax : Infinity).filter(
    (each) => (filter.project === null || each.project === filter.project) && isSought(each),
  );
  const byProject = Map.groupBy(units, ({ project }) => project);
  const projects = [...byProject.keys()].toSorted((a, b) => compare(names.get(a) ?? a, names.get(b) ?? b));
  const rows: UnitRow[] = [];
  for (const project of projects) {
    const root = toNode(byProject.get(project)?.map(({ unit }) => unit) ?? []);
    const held = new Map<Node, number>();
    const heldBelow = countHeld(root, project, leases, held);
    const base = projects.length > 1 ? 1 : 0;
    // Whoever looks for something sees it, folded up or not.
    const isClosed = (id: string): boolean => sought === "" && filter.closed.has(id);
    const id = keyOfUnit({ project, unit: "" });
    const own = { project, unit: "", kind: "project", name: names.get(project) ?? project, depth: 0 } as const;
    if (base === 1)
      rows.push({
        id,
        ...own,
        lease: null,
        by: null,
        queue: [],
        heldBelow,
        isRead: !locks.truncated,
        isOpen: !isClosed(id),
      });
    if (base === 0 || !isClosed(id))
      walk(root, { project, depth: base, leases, locks, held, isClosed, by: null, rows });
  }
  return rows;
}

/** The row that is meant by what somebody typed: a name that begins so goes before one that only has it in it. */
export function bestRow(rows: readonly UnitRow[], find: string): UnitRow | undefined {
  const sought = find.trim().toLowerCase();
  if (sought === "") return undefined;
  const path = (row: UnitRow): string => row.unit.slice(row.unit.indexOf(":") + 1).toLowerCase();
  const rank = (row: UnitRow): number => {
    const name = row.name.toLowerCase();
    const where =
      path(row) === sought ? 0 : name === sought ? 1 : name.startsWith(sought) ? 2 : path(row).includes(sought) ? 3 : 4;
    return where * 2 + (row.lease === null && row.queue.length === 0 ? 1 : 0);
  };
  return rows.filter(({ unit }) => unit !== "").toSorted((a, b) => rank(a) - rank(b))[0];
}

/** One unit by itself: it may be on no list, but what it lies in, or what is in it, may be held. */
export function toUnitRow(locks: Locks, { project, unit }: Pick<Lease, "project" | "unit">): UnitRow {
  const { kind, name } = splitUnit(unit);
  const row = { id: keyOfUnit({ project, unit }), project, unit, kind, name, depth: 0, isOpen: null };
  const touching = locks.leases.filter((lease) => lease.project === project && doUnitsTouch(lease.unit, unit));
  return { ...row, ...stateOf(row, { ...locks, leases: touching }) };
}

/** A row as the daemon answered about it alone: by the rule of its project, which may take names in another case for the same. */
export function withAnswer(row: UnitRow, answer: Locks): UnitRow {
  const own = answer.leases.filter(({ project }) => project === row.project);
  return { ...row, ...stateOf(row, { ...answer, leases: own }) };
}

type UnitState = Pick<UnitRow, "lease" | "by" | "queue" | "heldBelow" | "isRead">;

/** `around` has no leases but those that touch the unit. */
function stateOf({ project, unit }: Pick<Lease, "project" | "unit">, around: Locks): UnitState {
  const lease = around.leases.find((each) => each.unit === unit) ?? null;
  const by = lease === null ? (around.leases.find((each) => each.unit.length < unit.length) ?? null) : null;
  return {
    lease,
    by,
    queue: lease === null ? waitersFor(around, { project, unit }) : queueOf(around, lease),
    heldBelow: by === null ? around.leases.length - (lease === null ? 0 : 1) : 0,
    isRead: !around.truncated,
  };
}

function unitsOf(
  locks: Locks,
  past: UnitPast,
  only: TreeFilter["only"],
  pastMax: number,
): Pick<Lease, "project" | "unit">[] {
  const found = new Map<string, Pick<Lease, "project" | "unit">>();
  const add = (each: Pick<Lease, "project" | "unit">): void => void found.set(keyOfUnit(each), each);
  for (const lease of locks.leases) if (only !== "contended" || queueOf(locks, lease).length > 0) add(lease);
  if (only !== "held") for (const { project, units } of locks.queue) for (const unit of units) add({ project, unit });
  // The last of them are those that something has happened to most lately.
  if (only === "all") for (const [stay] of [...past.stays.values()].slice(-pastMax)) if (stay !== undefined) add(stay);
  return [...found.values()];
}

/** A process stands at the top, beneath nothing; folders on the way to a unit are there, too. */
function toNode(units: readonly string[]): Node {
  const root: Node = { unit: "", kind: "project", name: "", children: new Map() };
  for (const unit of units) {
    const { kind } = splitUnit(unit);
    const rest = unit.slice(unit.indexOf(":") + 1);
    if (kind === "process" || rest === "" || rest === ".") {
      root.children.set(unit, { unit, kind, name: kind === "process" ? rest : "./", children: new Map() });
      continue;
    }
    const parts = rest.split("/");
    let node = root;
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      const isFile = isLast && kind === "file";
      const key = isFile ? part : `${part}/`;
      const known = node.children.get(key);
      const own = `${isFile ? "file" : "dir"}:${parts.slice(0, at + 1).join("/")}`;
      const next: Node = known ?? { unit: own, kind: isFile ? "file" : "dir", name: key, children: new Map() };
      node.children.set(key, next);
      node = next;
    }
  }
  return root;
}

type Walk = {
  readonly project: string;
  readonly depth: number;
  readonly leases: ReadonlyMap<string, Lease>;
  readonly locks: Locks;
  readonly held: ReadonlyMap<Node, number>;
  readonly isClosed: (id: string) => boolean;
  readonly by: Lease | null;
  readonly rows: UnitRow[];
};

function walk(node: Node, at: Walk): void {
  const { project, depth, leases, locks, held, isClosed, by, rows } = at;
  const children = [...node.children.values()].toSorted(byKindThenName);
  for (const each of children) {
    const { node: child, name } = foldUp(each, at);
    const { unit, kind } = child;
    const id = keyOfUnit({ project, unit });
    const lease = leases.get(id) ?? null;
    const queue = lease === null ? waitersFor(locks, { project, unit }) : queueOf(locks, lease);
    const isOpen = child.children.size === 0 ? null : !isClosed(id);
    const heldBelow = isOpen === null ? 0 : (held.get(child) ?? 0);
    rows.push({
      id,
      project,
      unit,
      kind,
      name,
      depth,
      lease,
      by: lease === null ? by : null,
      queue,
      heldBelow,
      isRead: !locks.truncated,
      isOpen,
    });
    if (isOpen === true) walk(child, { ...at, depth: depth + 1, by: lease ?? by });
  }
}

/** A folder with nothing but one folder in it, about which there is nothing to say, stands in one row with that. */
function foldUp(node: Node, { project, leases, locks }: Walk): { readonly node: Node; readonly name: string } {
  let [last, name] = [node, node.name];
  for (;;) {
    const [only, ...others] = last.children.values();
    if (only?.kind !== "dir" || others.length > 0) return { node: last, name };
    if (
      leases.has(keyOfUnit({ project, unit: last.unit })) ||
      waitersFor(locks, { project, unit: last.unit }).length > 0
    )
      return { node: last, name };
    [last, name] = [only, `${name}${only.name}`];
  }
}

/** How many units beneath each node are held, found in one walk: each folder is asked, and all of them around it. */
function countHeld(node: Node, project: string, leases: ReadonlyMap<string, Lease>, counts: Map<Node, number>): number {
  let count = 0;
  for (const child of node.children.values()) {
    if (leases.has(keyOfUnit({ project, unit: child.unit }))) count += 1;
    count += countHeld(child, project, leases, counts);
  }
  counts.set(node, count);
  return count;
}

const order = { project: 0, dir: 1, file: 2, process: 3 } as const;

function byKindThenName(a: Node, b: Node): number {
  return order[a.kind] - order[b.kind] || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
