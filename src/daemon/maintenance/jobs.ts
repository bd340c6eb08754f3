// What is done in each round of maintenance. Each of these can be had by itself as well; here they are only put in a row.

import type { AuditWatch } from "../../node/audit/audit-watch.ts";
import type { Images } from "../../node/images/images.ts";
import type { Storage } from "../storage/storage.ts";
import type { Done, Job } from "./maintenance.ts";
import { rotateOutput } from "./rotate-output.ts";

export type JobParts = {
  readonly recordings: (dryRun: boolean) => Promise<Done>;
  readonly outputs: (dryRun: boolean) => Promise<Done>;
  readonly storage: Pick<Storage, "collect" | "collectBlobs">;
  readonly images: Pick<Images, "prune">;
  readonly audits: Pick<AuditWatch, "tidy">;
  /** Where the daemon's own words go. */
  readonly output: string;
  readonly store: { checkpoint(dryRun: boolean): number };
};

/** What lets go of something comes before what collects the bytes of it. */
export function maintenanceJobs({ recordings, outputs, storage, images, audits, output, store }: JobParts): Job[] {
  return [
    { name: "recordings", act: recordings },
    { name: "run-outputs", act: outputs },
    {
      name: "garbage",
      act: async (dryRun) => sum([...(await storage.collect(null, dryRun)), await storage.collectBlobs(dryRun)]),
    },
    {
      name: "images",
      act: async (dryRun) =>
        sum((await images.prune({ all: false, dryRun })).map(({ bytes }) => ({ objects: 1, bytes }))),
    },
    { name: "leftovers", act: async (dryRun) => ({ count: await audits.tidy(dryRun), bytes: 0 }) },
    { name: "output", act: async (dryRun) => once(await rotateOutput(output, dryRun)) },
    { name: "log", act: async (dryRun) => once(store.checkpoint(dryRun)) },
  ];
}

function sum(parts: readonly { readonly objects: number; readonly bytes: number }[]): Done {
  return {
    count: parts.reduce((all, { objects }) => all + objects, 0),
    bytes: parts.reduce((all, { bytes }) => all + bytes, 0),
  };
}

function once(bytes: number): Done {
  return { count: bytes === 0 ? 0 : 1, bytes };
}
