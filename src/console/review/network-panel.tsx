import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import { egressReason } from "../../protocol/egress-reasons.ts";
import { textIn } from "../live/event-fields.ts";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { useTicks } from "../live/use-ticks.ts";
import { toBytes, toCount, toMany } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { Trouble } from "../parts/trouble.tsx";
import "./network-panel.css";

const againMs = 10_000;
const stepRows = 8;
const kinds = { none: "no network", list: "the hosts on its list", open: "every public host" } as const;

type Answer = OutputOf<"run.egress">;

/** Whom a run or an agent may reach, and whom it has reached or was refused, the last one first. */
export function NetworkPanel({
  of,
  isOver = false,
}: {
  readonly of: { readonly run: string } | { readonly agent: string };
  /** A run that reaches nobody any more. */
  readonly isOver?: boolean;
}): ReactNode {
  const ref = "run" in of ? of.run : of.agent;
  // What is counted is written down now and then, and for the last time after the end.
  const ticks = useTicks(isOver ? null : againMs);
  const newest = useNewest((event) => event.type.startsWith("egress.") && textIn(event, "run") === ref);
  const [rowsMax, setRowsMax] = useState(stepRows);
  const { value, trouble, again } = useAsked({
    subject: `network of ${ref}`,
    stamp: isOver ? `over, ${newest}` : ticks,
    ask: (client, signal): Promise<Answer> =>
      "run" in of ? client.call("run.egress", of, { signal }) : client.call("agent.egress", of, { signal }),
  });
  const hosts = value?.hosts.toSorted((a, b) => b.lastAtMs - a.lastAtMs) ?? [];
  const refusals = hosts.reduce((sum, each) => sum + each.refusals, 0);
  const command = `signalbox egress ${toShell(ref)}`;
  return (
    <Panel
      name="network"
      title="Network"
      meta={value === null ? undefined : toMeta(value, refusals)}
      end={<CopyButton text={command} label={`Copy: ${command}`} />}
    >
      {value === null ? (
        <Awaited what="Reading whom it has reached" trouble={trouble} again={again} />
      ) : (
        <>
          <Trouble trouble={trouble} again={again} />
          {value.egress.kind === "list" && value.egress.allow.length > 0 ? (
            <p className="network-may">
              May reach {value.egress.allow.join(", ")}
              {value.egress.policy === null ? "" : `, by policy ${value.egress.policy}`}
            </p>
          ) : null}
          {hosts.length === 0 ? (
            <p className="network-may dim">It has not tried to reach anybody.</p>
          ) : (
            <ul className="network" aria-label="Hosts">
              {hosts.slice(0, rowsMax).map((each) => (
                <li key={`${each.host} ${each.port}`} data-host={each.host} data-refused={each.refused ?? undefined}>
                  <span className={each.refused === null ? "a-go" : "a-stop"}>
                    <Icon name={each.refused === null ? "done" : "rejected"} />
                    <span className="sr">{each.refused === null ? "Reached" : "Refused"}</span>
                  </span>
                  <span className="network-host" title={each.address ?? undefined}>
                    {toVisible(toHostName(each))}
                  </span>
                  <span className="dim network-what">
                    {each.refused === null
                      ? `${toMany(each.connections, "connection")}, ${toBytes(each.bytesIn)} in, ${toBytes(each.bytesOut)} out`
                      : `refused ${each.refusals === 1 ? "once" : `${toCount(each.refusals)} times`}: ${egressReason(each.refused)}`}
                  </span>
                  <Ago atMs={each.lastAtMs} />
                </li>
              ))}
            </ul>
          )}
          {hosts.length > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={() => setRowsMax(rowsMax + stepRows)}>
                {`Show ${Math.min(stepRows, hosts.length - rowsMax)} more of ${hosts.length}`}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Panel>
  );
}

/** Those beyond the hosts that are told apart have one name, and no port. */
function toHostName({ host, port }: Answer["hosts"][number]): string {
  if (host === "*") return "others";
  return port === 0 ? host : `${host}:${port}`;
}

function toMeta({ egress }: Answer, refusals: number): string {
  const may = egress.kind === "list" && egress.allow.length === 0 ? "nobody is on its list" : kinds[egress.kind];
  return refusals === 0 ? may : `${may}, ${toCount(refusals)} refused`;
}
