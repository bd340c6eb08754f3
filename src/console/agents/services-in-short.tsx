import type { ReactNode } from "react";
import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import { countWell, isBroken, lookOfService } from "../model/agent-signals.ts";
import { Icon } from "../parts/icon.tsx";

const chipsMax = 6;

/** Each service with its signal; of many, those that are broken first. */
export function ServicesInShort({ agent }: { readonly agent: AgentView }): ReactNode {
  const { well, of } = countWell(agent);
  const chosen = agent.services.toSorted((a, b) => Number(isBroken(b)) - Number(isBroken(a))).slice(0, chipsMax);
  const shown = agent.services.length <= chipsMax ? agent.services : chosen;
  return (
    <>
      <span className="services-count num" title={`${well} of ${of} wanted services are well`}>
        {well}/{of}
      </span>
      {shown.map((service) => (
        <ServiceChip key={service.name} service={service} />
      ))}
      {agent.services.length > chipsMax ? <span className="dim">+{agent.services.length - chipsMax}</span> : null}
    </>
  );
}

function ServiceChip({ service }: { readonly service: ServiceView }): ReactNode {
  const { word, icon, tone } = lookOfService(service);
  return (
    <span className={`service-chip a-${tone}`} title={`${service.name}: ${word}`}>
      <Icon name={icon} />
      <span>{service.name}</span>
      <span className="sr"> {word}</span>
    </span>
  );
}
