// That what a template says of its ladder and of its alerts can be so.

import { recoveryRungs } from "./agent-spec.ts";
import type { Shape } from "./check-shape.ts";
import { toMs } from "./duration.ts";
import type { Complain } from "./problem.ts";
import type { SaidRecovery } from "./recovery-schema.ts";
import { inOrder, saysNothing, toRecovery } from "./to-recovery.ts";

export function checkRecovery({ template, isSure }: Shape, complain: Complain, warn: Complain): void {
  const { recovery, alerts } = template;
  if (recovery !== undefined) checkRungs(recovery, complain, warn);
  if (alerts === undefined) return;
  if (isSure("alerts") && saysNothing(alerts))
    warn(["alerts"], "It says nothing. Name rung, restarts or unwell, or take it out.", "key");
  const { rung } = alerts;
  const had = toRecovery(recovery ?? {}).rungs;
  const isKnown = isSure("recovery", "rungs");
  if (rung !== undefined && isKnown && !had.some((each) => recoveryRungs.indexOf(each) >= recoveryRungs.indexOf(rung)))
    complain(
      ["alerts", "rung"],
      `Nobody is ever told: recovery has neither ${rung} nor anything above it. Add it to rungs, or name another.`,
    );
}

function checkRungs({ rungs, tries, delay, max_delay }: SaidRecovery, complain: Complain, warn: Complain): void {
  const twice = (rungs ?? []).findIndex((each, at) => rungs?.indexOf(each) !== at);
  if (twice !== -1)
    complain(["recovery", "rungs", twice], `${rungs?.[twice]} is there twice. Say tries: 2 to try it twice.`);
  const shuffled = (rungs ?? []).some(
    (each, at) => recoveryRungs.indexOf(each) < recoveryRungs.indexOf(rungs?.[at - 1] ?? each),
  );
  if (shuffled && twice === -1)
    warn(
      ["recovery", "rungs"],
      `They are tried in this order, whatever is written: ${inOrder(rungs ?? []).join(", ")}.`,
      "key",
    );
  if (delay !== undefined && max_delay !== undefined && toMs(delay) > toMs(max_delay))
    complain(
      ["recovery", "max_delay"],
      `The first delay (${delay}) is longer than the longest (${max_delay}). Exchange them, or leave one out.`,
    );
  const unused = (["tries", "delay", "max_delay"] as const).find(
    (key) => ({ tries, delay, max_delay })[key] !== undefined,
  );
  if (rungs?.length === 0 && unused !== undefined)
    warn(["recovery", unused], `A person is asked at once, so ${unused} means nothing. Take it out.`, "key");
}
