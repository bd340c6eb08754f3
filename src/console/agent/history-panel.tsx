import type { ReactNode } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { AgentHistory, UsePoint } from "../../protocol/wire/health-history.ts";
import { useClock, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toArea } from "../model/area-path.ts";
import { toDiskFacts } from "../model/disk-facts.ts";
import { toBytes } from "../model/format.ts";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import "./history-panel.css";

const width = 120;
const height = 28;
const askEveryMs = 15_000;
/** What is hardly anything is drawn as hardly anything. */
const quietCpu = 0.25;

/** How the agent did over time: what it used, how its checks went, how it came up, and what will be if it goes on like this. */
export function HistoryPanel({ agent }: { readonly agent: AgentView }): ReactNode {
  const span = useAddress().span === "day" ? "day" : "hour";
  const isLive = useIsLive();
  const look = useClock((clock) => Math.floor(clock.now() / askEveryMs));
  const { value } = useAsked({
    subject: `history ${agent.id} ${span}`,
    stamp: `${look} ${agent.state}`,
    ask: (client, signal) => client.call("agent.history", { agent: agent.id, span }, { signal }),
  });
  if (!isLive && value === null) return null;
  return (
    <Panel
      name="history"
      title="Over time"
      end={
        <Segmented
          label="How far back"
          value={span}
          options={[
            ["hour", "Hour"],
            ["day", "Day"],
          ]}
          onChange={(next) => goTo({ span: next === "hour" ? null : next }, "replace")}
        />
      }
    >
      {value === null ? <Quiet title="Looking …" /> : <History history={value} agent={agent} />}
    </Panel>
  );
}

function History({ history, agent }: { readonly history: AgentHistory; readonly agent: AgentView }): ReactNode {
  const { points, services, startup, starts, warnings, capacity } = history;
  return (
    <div className="history">
      {warnings.map(({ what }) => (
        <p key={what} className="history-warning a-wait">
          <Icon name="guarded" /> {what}
        </p>
      ))}
      <div className="history-row dim" aria-hidden="true">
        <span>Processors</span>
        <span>Memory</span>
      </div>
      <Charts name="All of it" points={points} limitBytes={history.memoryBytesMax} />
      {services.map(({ name, points: own, checks, availability }) => {
        const limit = agent.services.find((each) => each.name === name)?.limits?.memoryBytes ?? null;
        const { hour } = availability;
        return (
          <Charts key={name} name={name} points={own} limitBytes={limit}>
            <span>{hour === null ? "" : `${(hour * 100).toFixed(hour === 1 ? 0 : 1)} % well`}</span>
            <span title="Of the disk: whose the files in an agent are, nobody can tell">{toDiskFacts(own)}</span>
            <span>
              {checks.p50Ms === null ? "" : `checks ${checks.p50Ms.toFixed(0)} / ${(checks.p95Ms ?? 0).toFixed(0)} ms`}
            </span>
          </Charts>
        );
      })}
      {startup === null ? null : <Startup startup={startup} before={starts.slice(0, -1)} />}
      <p className="dim">
        Room for {capacity.more} more of {capacity.template}
      </p>
    </div>
  );
}

function Charts(props: {
  readonly name: string;
  readonly points: readonly UsePoint[];
  readonly limitBytes: number | null;
  readonly children?: ReactNode;
}): ReactNode {
  const { name, points, limitBytes, children } = props;
  const memory = points.map(({ memoryBytes }) => memoryBytes);
  const cpu = points.map((point) => point.cpu);
  const spell = (value: number): string => `${(value * 100).toFixed(0)} %`;
  return (
    <section className="history-row" aria-label={`${name} over time`}>
      <b>{name}</b>
      <Chart title="Processors" values={cpu} spell={spell} top={quietCpu} />
      <Chart title="Memory" values={memory} spell={toBytes} top={limitBytes} />
      {children === undefined ? null : <div className="history-facts dim">{children}</div>}
    </section>
  );
}

function Chart(props: {
  readonly title: string;
  readonly values: readonly (number | null)[];
  readonly spell: (value: number) => string;
  readonly top: number | null;
}): ReactNode {
  const { title, values, spell, top } = props;
  const { line, area, last, most } = toArea(values, { width, height, top });
  const now = last === null ? "–" : spell(last);
  const words = `${title}: ${now} now, ${spell(most)} at most${title === "Memory" && top !== null ? ` of ${spell(top)}` : ""}`;
  return (
    <div className="chart" role="img" aria-label={words} title={words}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="chart-area" d={area} />
        <path className="chart-line" d={line} />
      </svg>
      <span className="chart-now">{now}</span>
    </div>
  );
}

/** Each phase as a bar from when it began to when it was over. */
function Startup(props: {
  readonly startup: NonNullable<AgentHistory["startup"]>;
  readonly before: AgentHistory["starts"];
}): ReactNode {
  const { startup, before } = props;
  const { ms, phases } = startup;
  const whole = Math.max(1, ms ?? 0, ...phases.map(({ fromMs, ms: took }) => fromMs + (took ?? 0)));
  return (
    <section className="startup" aria-label="How it came up">
      <b>Came up {ms === null ? "not yet" : `in ${(ms / 1000).toFixed(1)} s`}</b>
      <ol>
        {phases.map(({ phase, fromMs, ms: took }) => (
          <li key={phase}>
            <span>{phase}</span>
            <span className="startup-track">
              <i
                style={{ left: `${(fromMs / whole) * 100}%`, width: `${Math.max(1, ((took ?? 0) / whole) * 100)}%` }}
              />
            </span>
            <span className="dim">{took === null ? "…" : `${Math.round(took)} ms`}</span>
          </li>
        ))}
      </ol>
      {before.length === 0 ? null : (
        <p className="dim">
          Before in{" "}
          {before
            .toReversed()
            .map((each) => (each.ms === null ? "–" : `${(each.ms / 1000).toFixed(1)} s`))
            .join(", ")}
        </p>
      )}
    </section>
  );
}
