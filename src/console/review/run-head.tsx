import { type ReactNode, useMemo } from "react";
import { showDollars } from "../../protocol/dollars.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { useBox, useLive } from "../live/live-context.tsx";
import { toBytes, toCount, toMany } from "../model/format.ts";
import { reasonOf } from "../model/reason.ts";
import { actsOf } from "../model/run-acts.ts";
import { countWaiters } from "../model/waits.ts";
import { CopyButton } from "../parts/command.tsx";
import { HoldEnd } from "../parts/hold-end.tsx";
import { Icon } from "../parts/icon.tsx";
import { StateBadge } from "../parts/state-word.tsx";
import { Ago, Since } from "../parts/times.tsx";
import { ActButtons } from "../run/act-buttons.tsx";
import { TerminalButton } from "../terminal/terminal-button.tsx";
import { TestOutput } from "./test-output.tsx";
import { type Bindings, useKeys } from "../shell/keys.ts";

/** These are given with the change set in view, not from the head of the page. */
const decided = ["approve", "return", "reject", "answer"] as const;

export function RunHead({ id, run }: { readonly id: string; readonly run: Run | undefined }): ReactNode {
  const { store } = useBox();
  const { request } = useActs();
  useKeys(() => {
    const bindings: Record<string, Bindings[string]> = {};
    const { runs, link } = store.read();
    const now = runs.get(id);
    if (now === undefined || link.is !== "live") return bindings;
    for (const act of actsOf(now).filter(({ name }) => !decided.some((each) => each === name)))
      bindings[act.key] = () => request(act, now);
    const box = document.querySelector<HTMLElement>(`[data-answer="${id}"]`);
    if (box !== null) bindings["R"] = () => box.focus();
    return bindings;
  });
  // Why a run has failed stands by itself, with what to do about it.
  const isFailed = run?.state === "failed";
  const because = run === undefined || isFailed ? null : reasonOf(run);
  return (
    <header className="run-head">
      <div className="run-name">
        <h2>{run?.title ?? id}</h2>
        {run === undefined ? null : (
          <StateBadge state={run.state} stuck={run.stuck}>
            <Since atMs={run.sinceMs} />
          </StateBadge>
        )}
        <Waiters id={id} />
      </div>
      {run === undefined ? (
        <p className="dim">This run was removed from the lists. The log keeps what happened.</p>
      ) : (
        <>
          <p className="run-meta">
            <span className="rid">{run.id}</span>
            <span>{run.projectName}</span>
            <span>
              {run.runner}
              {run.profile === null ? "" : `, profile ${run.profile}`}
            </span>
            {run.commit === null ? null : (
              <span title={run.commit}>
                on <code>{run.commit.slice(0, 10)}</code>
              </span>
            )}
            {run.landed === null ? null : (
              <span title={run.landed}>
                landed as <code>{run.landed.slice(0, 10)}</code>
                {run.landedOn === null ? null : (
                  <>
                    {" "}
                    on <code>{run.landedOn}</code>
                  </>
                )}
              </span>
            )}
            <span>
              submitted <Ago atMs={run.submittedAtMs} />
            </span>
            {run.filesChanged === 0 ? null : (
              <span>
                {toMany(run.filesChanged, "file")}, {toBytes(run.bytesWritten)}
              </span>
            )}
            {run.spend.requests === 0 ? null : (
              <span title={`${toCount(run.spend.inputTokens)} tokens in, ${toCount(run.spend.outputTokens)} out`}>
                {showDollars(run.spend.costMicros)}, {toMany(run.spend.requests, "request")}
              </span>
            )}
            {run.caged ? null : <span className="a-wait">without a cage</span>}
          </p>
          {because === null ? null : (
            <div className="run-because">
              {because} <TestOutput id={run.id} because={because} />
            </div>
          )}
          <div className="run-acts">
            <TerminalButton run={run} hotkey="W" />
            <ActButtons
              run={run}
              except={[...decided, "allow", "deny", ...(isFailed ? (["retry"] as const) : [])]}
              primary={false}
            />
            <CopyButton text={`signalbox inspect ${run.id}`} label={`Copy: signalbox inspect ${run.id}`} />
          </div>
        </>
      )}
    </header>
  );
}

function Waiters({ id }: { readonly id: string }): ReactNode {
  const locks = useLive((state) => state.locks);
  const count = useMemo(() => countWaiters(locks).get(id) ?? 0, [locks, id]);
  if (count === 0) return null;
  return (
    <span className="run-waiters a-wait">
      <Icon name="blocked" />
      <span>
        {count === 1 ? "1 run waits for this" : `${count} runs wait for this`}
        <HoldEnd of={id} />
      </span>
    </span>
  );
}
