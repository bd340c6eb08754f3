// What is told of a project's branch is looked up first, where that is soon done: people change their side without a word.

import { stat } from "node:fs/promises";
import type { Project } from "../core/project/project.ts";
import type { Context } from "./context.ts";

/** Whoever asks hears what is known by then. */
const patienceMs = 2000;

/** Looks at one project, or at all of which something is known or seen to be wrong. Never fails, and never takes long. */
export async function lookAt(context: Context, only?: string): Promise<void> {
  const { look, clock, onDefect } = context.parts;
  if (look === undefined) return;
  const projects = [...context.state.projects.values()].filter((project) => !project.removed);
  const looks = projects.map(async (project) => {
    if (only === undefined ? await isSuspect(project) : only === project.id) await look(project.id).catch(onDefect);
  });
  const patience = Promise.withResolvers<void>();
  const cancel = clock.setTimer(patienceMs, () => patience.resolve());
  await Promise.race([Promise.all(looks), patience.promise]);
  cancel();
}

async function isSuspect({ root, mainline, published, notPublished }: Project): Promise<boolean> {
  if (notPublished !== null || mainline !== published) return true;
  const found = await stat(root).catch(() => undefined);
  return found?.isDirectory() !== true;
}
