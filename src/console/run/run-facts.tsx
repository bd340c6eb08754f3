import type { ReactNode } from "react";
import { showDollars } from "../../protocol/dollars.ts";
import { showScope } from "../../protocol/show-scope.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { toBytes, toCount, toMany } from "../model/format.ts";
import { toShortUnit } from "../model/units.ts";
import { toVisible } from "../model/visible-text.ts";
import { toWho } from "../model/who.ts";
import { Fact } from "../parts/facts.tsx";
import { Ago, Until } from "../parts/times.tsx";
import { RunLink } from "../shell/link.tsx";

/** What else is known of a run: only facts that it has. */
export function RunFacts({ run }: { readonly run: Run }): ReactNode {
  const { call } = run;
  return (
    <dl className="sheet-part facts">
      <Fact name="Runner">{[run.runner, run.profile].filter((part) => part !== null).join(", ")}</Fact>
      {run.image === null ? null : (
        <Fact name="Image">{"name" in run.image ? run.image.name : `built from ${run.image.dockerfile}`}</Fact>
      )}
      <Fact name="Wanted by">{[...new Set([run.by, run.user])].map(toWho).join(", for ")}</Fact>
      {run.scope === null ? null : <Fact name="May change">{toVisible(showScope(run.scope))}</Fact>}
      <Fact name="Priority">{run.priority}</Fact>
      {run.tags.length === 0 ? null : (
        <Fact name="Tags">
          {run.tags.map((tag) => (
            <span key={tag} className="tag">
              {tag}
            </span>
          ))}
        </Fact>
      )}
      {run.plan.length === 0 ? null : (
        <Fact name="Plan">
          <span title={run.plan.join("\n")}>{run.plan.map(toShortUnit).join(", ")}</span>
        </Fact>
      )}
      {run.dependsOn.length === 0 ? null : <Fact name="After">{links(run.dependsOn)}</Fact>}
      {run.parent === null ? null : <Fact name="Started by">{links([run.parent])}</Fact>}
      {run.retryOf === null ? null : <Fact name="Retry of">{links([run.retryOf])}</Fact>}
      <Fact name="Submitted">
        <Ago atMs={run.submittedAtMs} />
      </Fact>
      {run.startedAtMs === null ? null : (
        <Fact name="Started">
          <Ago atMs={run.startedAtMs} />
        </Fact>
      )}
      {run.endedAtMs === null ? null : (
        <Fact name="Ended">
          <Ago atMs={run.endedAtMs} />
        </Fact>
      )}
      {run.outputsGone === null ? null : (
        <Fact name="Output">
          gone <Ago atMs={run.outputsGone.atMs} />:{" "}
          {run.outputsGone.because === "age" ? "it was kept long enough" : "runs of the project had said too much"}
        </Fact>
      )}
      {run.limitAtMs === null ? null : (
        <Fact name="Time left">
          <Until atMs={run.limitAtMs} />
          {run.limitPolicy === null ? null : `, by policy ${run.limitPolicy}`}
        </Fact>
      )}
      {run.tested === null ? null : (
        <Fact name="Acceptance">{run.tested.ok ? "passed" : `ended with ${run.tested.exit}`}</Fact>
      )}
      {run.approvalPolicy === null ? null : <Fact name="Approval">by policy {run.approvalPolicy}</Fact>}
      {run.approvedBy === null ? null : <Fact name="Approved by">{run.approvedBy}</Fact>}
      {call === null ? null : (
        <Fact name="Now">
          {call.tool} {call.units.map(toShortUnit).join(", ")}
          {call.started ? "" : ", at the door"}
        </Fact>
      )}
      <Fact name="Calls">{toCount(run.callsDone)}</Fact>
      {run.changes.length === 0 ? null : (
        <Fact name="To land">
          <span title={run.changes.join("\n")}>{toMany(run.changes.length, "file")}</span>
        </Fact>
      )}
      {run.landed === null ? null : (
        <Fact name="Landed as">
          <code title={run.landed}>{run.landed.slice(0, 12)}</code>
          {run.landedOn === null ? null : (
            <>
              {" "}
              on <code>{run.landedOn}</code>
            </>
          )}
        </Fact>
      )}
      {run.spend.requests === 0 ? null : (
        <Fact name="Cost">
          {showDollars(run.spend.costMicros)} for {toMany(run.spend.requests, "request")}
          {run.treeSpend.requests === run.spend.requests
            ? ""
            : `; ${showDollars(run.treeSpend.costMicros)} with all that stem from the same run`}
          {run.ownCostMicros === null ? "" : `; ${showDollars(run.ownCostMicros)} by its own reckoning`}
        </Fact>
      )}
      {run.spend.requests === 0 ? null : (
        <Fact name="Tokens">
          {toCount(run.spend.inputTokens)} in, {toCount(run.spend.cacheReadTokens)} from the cache,{" "}
          {toCount(run.spend.outputTokens)} out
        </Fact>
      )}
      <Fact name="Changed">
        {toMany(run.filesChanged, "file")}, {toBytes(run.bytesWritten)}
      </Fact>
    </dl>
  );
}

function links(ids: readonly string[]): ReactNode {
  return ids.map((id) => <RunLink key={id} id={id} />);
}
