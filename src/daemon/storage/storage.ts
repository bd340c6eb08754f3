// What takes the disk, for people to see; and the collector, which gives back what nobody needs.

import { Fault } from "../../base/fault.ts";
import type { Project } from "../../core/project/project.ts";
import { diskLimitOf } from "../../core/agent/disk-limit.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { ruleFor } from "../../core/policy/policy.ts";
import { policiesOf, type State } from "../../core/state.ts";
import type { Run } from "../../core/run/run-state.ts";
import { blobOf } from "../../core/landing/entry.ts";
import type { Space } from "../../node/disk/ground-disk.ts";
import type { CollectedBlobs } from "../../ports/blob-store.ts";
import type { DiskReport } from "../../protocol/wire/disk.ts";
import { Collector, type CollectedOf, type CollectorOptions } from "./collector.ts";

/** As much of a node's disk as is told. */
export type Disk = {
  readonly folder: string;
  readonly freeBytesMin: number;
  space(): Promise<Space>;
  measure(folders: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

export type StorageOptions = CollectorOptions & {
  readonly disk: Disk;
  readonly images: { list(): Promise<readonly { readonly bytes: number }[]> };
  readonly engine: { readonly state: State } & CollectorOptions["engine"];
  readonly workspaces: CollectorOptions["workspaces"] & {
    folders(): Promise<ReadonlyMap<string, string>>;
    warmFolderOf(project: Project): string | null;
  };
};

export class Storage {
  readonly #options: StorageOptions;
  readonly #collector: Collector;

  constructor(options: StorageOptions) {
    this.#options = options;
    this.#collector = new Collector(options);
  }

  collect(only: string | null, dryRun: boolean): Promise<CollectedOf[]> {
    return this.#collector.collect(only, dryRun);
  }

  collectBlobs(dryRun: boolean): Promise<CollectedBlobs> {
    return this.#collector.collectBlobs(dryRun);
  }

  close(): Promise<void> {
    return this.#collector.close();
  }

  /** How much is free, and how much has to be. */
  async space(): Promise<Space & { readonly freeBytesMin: number }> {
    const { disk } = this.#options;
    return { ...(await disk.space()), freeBytesMin: disk.freeBytesMin };
  }

  async report(): Promise<DiskReport> {
    const { disk, engine, images } = this.#options;
    const { folder, freeBytesMin } = disk;
    const projects: DiskReport["projects"] = [];
    for (const project of engine.state.projects.values())
      if (!project.removed) projects.push(await this.#projectOf(project));
    const imagesBytes = (await images.list()).reduce((sum, { bytes }) => sum + bytes, 0);
    const workspaces = await this.#workspaces();
    return { folder, ...(await disk.space()), freeBytesMin, imagesBytes, projects, workspaces };
  }

  async #projectOf(project: Project): Promise<DiskReport["projects"][number]> {
    const { disk, engine, mainlines, workspaces } = this.#options;
    const mainline = await mainlines.of(project).catch((error: unknown) => {
      // Its folder is gone, or may be no project any more: the others are told of all the same.
      if (!(error instanceof Fault)) throw error;
    });
    const items = [...engine.state.trash.values()].filter((item) => item.project === project.id);
    const { repository = "", layers = "" } = mainline?.folders ?? {};
    const warm = workspaces.warmFolderOf(project) ?? "";
    const sizes = await disk.measure([repository, layers, warm].filter((folder) => folder !== ""));
    return {
      project: project.id,
      name: project.name,
      repositoryBytes: sizes.get(repository) ?? 0,
      layersBytes: sizes.get(layers) ?? 0,
      warmBytes: sizes.get(warm) ?? 0,
      trashItems: items.length,
      trashBytes: (await mainline?.sizeOf(items.flatMap(({ work }) => (work === null ? [] : blobOf(work))))) ?? 0,
    };
  }

  async #workspaces(): Promise<DiskReport["workspaces"]> {
    const { disk, engine, workspaces } = this.#options;
    const folders = await workspaces.folders();
    const sizes = await disk.measure([...folders.values()]);
    return [...folders].map(([agent, folder]) => {
      const [run, living] = [engine.state.runs.get(agent), engine.state.agents.get(agent)];
      const project = (run ?? living)?.project ?? null;
      return { agent, project, bytes: sizes.get(folder) ?? 0, quotaBytes: quotaOf(engine.state, run, living) };
    });
  }
}

/** What the place of a run, or that of a living agent, may take. */
function quotaOf(state: State, run: Run | undefined, living: Agent | undefined): number | null {
  if (living !== undefined) return diskLimitOf(state, living)?.bytes ?? null;
  return run === undefined ? null : (ruleFor(policiesOf(state, run), "maxDisk")?.value ?? null);
}
