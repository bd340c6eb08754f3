// Letters that move through the runs and act on the selected one.

import { useActs } from "../acts/act-context.tsx";
import { useAgentActs } from "../acts/use-agent-acts.tsx";
import { useInbox } from "../inbox/inbox-context.tsx";
import { subjectOfItem, useNeedKeys } from "../inbox/use-need-keys.ts";
import { useBox } from "../live/live-context.tsx";
import { actsOf } from "../model/run-acts.ts";
import { tiles } from "../model/signals.ts";
import { copyText } from "../parts/command.tsx";
import { goTo, readAddress } from "../shell/address.ts";
import { type Bindings, moveKeys, useKeys } from "../shell/keys.ts";
import { toAgentPage, toRunPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";

export function useRunKeys(): void {
  const { store } = useBox();
  const { selected, select } = useSelection();
  const { request, toasts } = useActs();
  const { items } = useInbox();
  const keysOf = useNeedKeys(useAgentActs().request);

  const stepsOf = (selector: string): Bindings => {
    const rows = [...document.querySelectorAll<HTMLElement>(selector)];
    const at = rows.findIndex((row) => idOf(row) === selected);
    return moveKeys(rows.length, at, (to) => goToRow(rows[to]));
  };
  const goToRow = (next: HTMLElement | undefined): void => {
    const id = next === undefined ? undefined : idOf(next);
    if (next === undefined || id === undefined) return;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    select(id);
    const run = next.dataset["run"];
    if (run !== undefined && readAddress().run !== null) goTo({ run }, "replace");
  };
  const copyInspect = async (id: string): Promise<void> => {
    const command = `signalbox inspect ${id}`;
    const copied = await copyText(command);
    toasts.note({ tone: "rest", title: copied ? "Copied" : "Copy it by hand", detail: command });
  };

  useKeys(() => {
    const bindings: Record<string, Bindings[string]> = {
      ...stepsOf("[data-lane]"),
      N: stepsOf("[data-need]")["J"],
      "0": () => goTo({ tone: null }, "replace"),
      Escape: () => goTo({ run: null }),
    };
    for (const [at, { tone }] of tiles.entries()) bindings[String(at + 1)] = () => goTo({ tone }, "replace");
    // The run as it is when the key is pressed, not as it was when the page was last drawn.
    const { runs, agents, link } = store.read();
    const run = runs.get(selected ?? "");
    const need = items.find((item) => subjectOfItem(item, agents) === selected);
    if (need !== undefined) Object.assign(bindings, keysOf(need));
    const agent = agents.get(selected ?? "");
    if (agent !== undefined) bindings["Enter"] = bindings["O"] = () => goTo({ ...toAgentPage(agent.id), run: null });
    if (run === undefined) return bindings;
    bindings["Enter"] = () => goTo({ run: run.id });
    bindings["O"] = () => goTo(toRunPage(run.id));
    bindings["G"] = () => void copyInspect(run.id);
    if (link.is !== "live") return bindings;
    for (const act of actsOf(run)) bindings[act.key] = () => request(act, run);
    const box = document.querySelector<HTMLElement>(`[data-answer="${run.id}"]`);
    if (box !== null && bindings["R"] !== undefined) bindings["R"] = () => box.focus();
    return bindings;
  });
}

function idOf({ dataset }: HTMLElement): string | undefined {
  return dataset["subject"] ?? dataset["run"];
}
