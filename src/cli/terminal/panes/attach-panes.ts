// Several windows at once: those that were named, or the one that a person is in and one more.

import type { Cli } from "../../cli.ts";
import { UsageError } from "../../usage-error.ts";
import { nameOf, tellEnd } from "../attach-end.ts";
import { findOrOpen, findView, type How, isRun, isTerminal, mustBeTerminal } from "../find-window.ts";
import { PersonTerminal } from "../person-terminal.ts";
import { fits, layOut, panesMax, type Way } from "./pane-layout.ts";
import { type PanesWish, type PaneWish, stayWithPanes } from "./stay-with-panes.ts";

type Several = { readonly readOnly: boolean; readonly way: Way; readonly json: boolean };

export async function attachSeveral(
  cli: Cli,
  target: string,
  windows: readonly string[],
  { readOnly, way, json }: Several,
): Promise<number | undefined> {
  if (isTerminal(target))
    throw new UsageError(`${target} is one terminal: name the agent or the run whose windows you mean.`);
  const person = new PersonTerminal();
  if (!fits(person.size, way, windows.length))
    throw new UsageError(
      `${windows.length} windows do not fit here. At most ${panesMax} do, on a large enough screen.`,
    );
  if (!json) mustBeTerminal(readOnly);
  const panes: PaneWish[] = [];
  for (const [index, window] of windows.entries()) {
    const view = await findView(cli, target, window);
    const { cols, rows } = layOut(person.size, way, windows.length).places[index] ?? person.size;
    const how = { isNew: false, window, readOnly, size: { cols, rows } };
    panes.push(view === undefined ? { terminal: await findOrOpen(cli, target, [], how), name: window } : { view });
  }
  if (json) {
    cli.out.json({ windows: panes });
    return 0;
  }
  return showPanes(
    cli,
    person,
    { panes, way, focus: 0, readOnly },
    isRun(target) ? { run: target } : { agent: target },
  );
}

/** The terminal that a person is in, and one more of the same agent or run. */
export async function splitFrom(cli: Cli, terminal: string, way: Way): Promise<number> {
  const { terminal: of } = await cli.link.call("terminal.get", { terminal });
  const owner = of.run === null ? { agent: of.agent ?? "" } : { run: of.run };
  const person = new PersonTerminal();
  const size = layOut(person.size, way, 2).places[1] ?? person.size;
  const opened = await openShell(cli, owner, { cols: size.cols, rows: size.rows });
  const panes = [{ terminal, name: of.window }, opened];
  return showPanes(cli, person, { panes, way, focus: 1, readOnly: false }, owner);
}

type Owner = { readonly run: string } | { readonly agent: string };

async function openShell(
  cli: Cli,
  owner: Owner,
  size: How["size"],
): Promise<{ readonly terminal: string; readonly name: string }> {
  const { terminal } = await cli.link.call("terminal.open", { ...owner, ...size });
  return { terminal, name: (await cli.link.call("terminal.get", { terminal })).terminal.window };
}

async function showPanes(
  cli: Cli,
  person: PersonTerminal,
  wish: Omit<PanesWish, "by" | "open">,
  owner: Owner,
): Promise<number> {
  const open = (size: How["size"]) => openShell(cli, owner, size);
  const last = await stayWithPanes(cli, person, { ...wish, by: nameOf(), open });
  if (last !== undefined) return tellEnd(cli, last.terminal, last.end);
  cli.out.note("Left. The terminals go on: signalbox terminal list");
  return 0;
}
