// Something was not found: says so, with what was probably meant and where to look.

import { didYouMean } from "../base/did-you-mean.ts";
import type { ErrorData } from "../protocol/errors.ts";
import type { Cli } from "./cli.ts";

type Kind = { readonly list: string; readonly known: (cli: Cli) => Promise<readonly string[]> };

const kinds: Readonly<Record<string, Kind>> = {
  run: {
    list: "signalbox ps -a",
    known: async ({ link }) => (await link.call("run.list", { limit: 1000 })).runs.map(({ id }) => id),
  },
  project: {
    list: "signalbox project list",
    known: async ({ link }) => (await link.call("project.list", {})).projects.flatMap(({ id, name }) => [name, id]),
  },
  policy: {
    list: "signalbox policy list",
    known: async ({ link }) => (await link.call("policy.list", {})).policies.map(({ name }) => name),
  },
  task: {
    list: "signalbox ps -a --json",
    known: async ({ link }) => (await link.call("task.list", { limit: 1000 })).tasks.map(({ id }) => id),
  },
  claim: {
    list: "signalbox locks",
    known: async ({ link }) => {
      const { leases, queue } = await link.call("locks", {});
      return [...leases, ...queue].map(({ claim }) => claim);
    },
  },
};

export async function suggestFor(cli: Cli, data: ErrorData): Promise<string | undefined> {
  const { kind, id } = data;
  if (typeof kind !== "string" || typeof id !== "string") return undefined;
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (known === undefined) return undefined;
  return `There is no ${kind} "${id}".${didYouMean(id, await namesOf(cli, known))} See what there is with: ${known.list}`;
}

/** A suggestion is a courtesy: when the daemon cannot be asked, the answer goes without. */
async function namesOf(cli: Cli, kind: Kind): Promise<readonly string[]> {
  try {
    return await kind.known(cli);
  } catch {
    return [];
  }
}
