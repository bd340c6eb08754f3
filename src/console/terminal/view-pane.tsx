// Windows of an agent that are no terminals: drawn here from what everybody can ask for.

import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { View } from "../../protocol/wire/terminal.ts";
import { Lines } from "../agent/logs-panel.tsx";
import { useServiceLog } from "../agent/use-service-log.ts";
import { useAsked } from "../live/use-asked.ts";
import { toBytes, toSpan } from "../model/format.ts";
import { findLines } from "../model/service-log.ts";
import { Quiet } from "../parts/panel.tsx";
import { Link, toRunPage } from "../shell/link.tsx";
import "../agent/logs.css";

const lookAgainMs = 2000;

export function ViewPane({ view, agent }: { readonly view: View; readonly agent: AgentView }): ReactNode {
  if (view.kind === "monitor") return <Monitor agent={agent.id} />;
  if (view.kind === "service") return <ServiceView agent={agent} service={view.of} />;
  return (
    <Quiet title={`${view.of} is ${view.state}`}>
      <Link to={toRunPage(view.of)}>Everything that it does is on its page.</Link>
    </Quiet>
  );
}

function ServiceView({ agent, service }: { readonly agent: AgentView; readonly service: string }): ReactNode {
  const { lines, trouble } = useServiceLog(agent);
  const shown = useMemo(() => findLines(lines, service, ""), [lines, service]);
  if (shown.length === 0) return <Quiet title={trouble ?? "Nothing was said yet"} />;
  return <Lines lines={shown} said="" width={service.length} />;
}

/** The processes, looked at again and again while somebody does. */
function Monitor({ agent }: { readonly agent: string }): ReactNode {
  const [look, setLook] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setLook((count) => count + 1), lookAgainMs);
    return () => clearInterval(timer);
  }, []);
  const { value, trouble } = useAsked({
    subject: `top ${agent}`,
    stamp: look,
    ask: (client, signal) => client.call("agent.top", { agent, limit: 100 }, { signal }),
  });
  if (value === null) return <Quiet title={trouble ?? "Looking …"} />;
  if (value.total === 0) return <Quiet title="Nothing runs in it" />;
  return (
    <div className="monitor" tabIndex={0} role="group" aria-label="Processes">
      <table>
        <thead>
          <tr>
            <th className="num">PID</th>
            <th>Service</th>
            <th className="num">CPU</th>
            <th className="num">Time</th>
            <th className="num">Memory</th>
            <th>Command</th>
          </tr>
        </thead>
        <tbody>
          {value.processes.map((each) => (
            <tr key={each.pid}>
              <td className="num">{each.pid}</td>
              <td>{each.service ?? "–"}</td>
              <td className="num">{each.cpu === null ? "–" : `${(each.cpu * 100).toFixed(1)} %`}</td>
              <td className="num">{toSpan(each.cpuMs)}</td>
              <td className="num">{toBytes(each.memoryBytes)}</td>
              <td className="monitor-command">{each.command}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
