import type { ReactNode } from "react";
import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useIsLive } from "../live/live-context.tsx";
import { actsOfService } from "../model/agent-acts.ts";
import { countWell, isBroken, lookOfService, noteOf, toPortUrl } from "../model/agent-signals.ts";
import { toLimitText } from "../model/limit-text.ts";
import { toPlainText } from "../model/plain-output.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Since, Until } from "../parts/times.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { HealthStrip } from "./health-strip.tsx";

type ServicesProps = {
  readonly agent: AgentView;
  readonly isGone: boolean;
  readonly events: readonly LogEvent[] | null;
  readonly selected: string | null;
  readonly onSelect: (service: string | null) => void;
  readonly onAct: RequestAgentAct;
};

export function ServicesPanel(props: ServicesProps): ReactNode {
  const { agent } = props;
  const { well, of } = countWell(agent);
  return (
    <Panel name="services" title="Services" meta={`${well} of ${of} well`}>
      {agent.services.length === 0 ? (
        <Quiet title="Its template has no services" />
      ) : (
        <div className="services" role="table" aria-label="Services">
          <div className="service-row th" role="row">
            {["Service", "State", "Last hour", "Since", "Lives", "Ports", ""].map((name) => (
              <span key={name} role="columnheader">
                {name === "" ? <span className="sr">Acts</span> : name}
              </span>
            ))}
          </div>
          {agent.services.map((service) => (
            <ServiceRow key={service.name} {...props} service={service} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function ServiceRow(props: ServicesProps & { readonly service: ServiceView }): ReactNode {
  const { agent, service, isGone, events, selected, onSelect, onAct } = props;
  const isLive = useIsLive();
  const { service: shown } = useAddress();
  const { name, state, kind, life, restarts } = service;
  const note = noteOf(service);
  return (
    <div
      className="service-row"
      role="row"
      aria-selected={selected === name}
      data-service={name}
      data-state={state}
      data-healthy={service.healthy ?? undefined}
      onClick={() => onSelect(name)}
    >
      <span role="cell" className="s-name">
        <button
          type="button"
          className="text-button s-logs"
          aria-pressed={shown === name}
          title={`Only the logs of ${name}`}
          onClick={() => goTo({ service: shown === name ? null : name }, "replace")}
        >
          {name}
        </button>
        {kind === "external" ? <span className="tag">external</span> : null}
        {service.image === null ? null : (
          <span className="tag" title="The image that it runs on">
            {"name" in service.image ? service.image.name : `built from ${service.image.dockerfile}`}
          </span>
        )}
        {service.limits === null ? null : (
          <span className="tag" title="What it may use">
            {toLimitText(service.limits)}
          </span>
        )}
      </span>
      <span role="cell" className="s-state">
        <LookWord look={lookOfService(service)} />
        {state === "delayed" && service.dueAtMs !== null ? (
          <span className="dim">
            in <Until atMs={service.dueAtMs} />
          </span>
        ) : null}
      </span>
      <span role="cell" className="s-health">
        <HealthStrip events={events} service={name} />
      </span>
      <span role="cell" className="s-since">
        <Since atMs={service.sinceMs} />
      </span>
      <span
        role="cell"
        className="s-lives num"
        title={`Started ${life} times, ${restarts} of them again after failures lately`}
      >
        {life}
        {restarts > 0 ? <span className="a-stop"> ({restarts === 1 ? "1 retry" : `${restarts} retries`})</span> : null}
      </span>
      <span role="cell" className="s-ports">
        {service.ports.map((port) => (
          <PortLink key={port.name} port={port} canOpen={kind === "application" && !isGone} />
        ))}
      </span>
      <span role="cell" className="s-acts">
        {isGone
          ? null
          : actsOfService(agent, service).map((act) => (
              <Button
                key={act.name}
                size="small"
                look="ghost"
                disabled={!isLive}
                title={isLive ? `${act.label} ${name} (${act.key} when it is selected)` : "Not while disconnected"}
                onClick={() => onAct(act, agent, name)}
              >
                {act.label}
                <span className="sr"> {name}</span>
              </Button>
            ))}
      </span>
      {note === "" && !isBroken(service) ? null : (
        <span role="cell" className="s-note">
          {note}
          <LastWords service={service} note={note} />
        </span>
      )}
    </div>
  );
}

/** How its last life ended, where that is why it is down and was not said yet. */
function LastWords({ service, note }: { readonly service: ServiceView; readonly note: string }): ReactNode {
  const { end } = service;
  if (end === null || !isBroken(service)) return null;
  const said = toPlainText(end.said).trim();
  return (
    <>
      {note.includes(`ended with ${end.exit}`) ? null : <span className="dim"> exit {end.exit}</span>}
      {said === "" ? null : <pre className="s-said">{said}</pre>}
    </>
  );
}

/** An address to open in another tab: it has an origin of its own, apart from this page's. */
function PortLink(props: { readonly port: ServiceView["ports"][number]; readonly canOpen: boolean }): ReactNode {
  const { port, canOpen } = props;
  const url = canOpen ? toPortUrl(port.address) : undefined;
  const words = (
    <>
      <span className="dim">{port.name}</span> <code>{port.address}</code>
    </>
  );
  if (url === undefined) return <span className="port">{words}</span>;
  return (
    <a className="port" href={url} target="_blank" rel="noopener noreferrer" title="Open in another tab">
      {words} <Icon name="out" />
      <span className="sr"> opens in another tab</span>
    </a>
  );
}
