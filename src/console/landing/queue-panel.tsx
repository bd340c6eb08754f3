import { type ReactNode, useMemo } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useHeard } from "../live/use-heard.ts";
import { useNewest } from "../live/use-newest.ts";
import { textIn } from "../live/event-fields.ts";
import { toMany } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { toWho } from "../model/who.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Since } from "../parts/times.tsx";
import { Link, toRunPage } from "../shell/link.tsx";

const stages = /^(landing\.|run\.moved)/;

type Landing = OutputOf<"landing.list">["landings"][number];

/** What is approved and on its way, one at a time in each project, the next one first. */
export function QueuePanel(): ReactNode {
  const project = useProjectId();
  const stamp = useNewest(({ type }) => /^(run\.(moved|approved|landed)|landing\.)/.test(type));
  const { value, trouble, again } = useAsked({
    subject: "landing queue",
    stamp,
    ask: (client, signal) => client.call("landing.list", {}, { signal }),
  });
  const byProject = useMemo(() => {
    const own = (value?.landings ?? []).filter((landing) => project === null || landing.project === project);
    return Map.groupBy(own, (landing) => landing.project);
  }, [value, project]);
  return (
    <Panel name="queue" title="Landing now" count={value?.landings.length}>
      {value === null ? (
        <Awaited what="Reading the queue" trouble={trouble} again={again} />
      ) : byProject.size === 0 ? (
        <Quiet title="Nothing is on its way">What is approved stands here until it is on mainline.</Quiet>
      ) : (
        [...byProject].map(([id, landings]) => <ProjectQueue key={id} project={id} landings={landings} />)
      )}
    </Panel>
  );
}

function ProjectQueue(props: { readonly project: string; readonly landings: readonly Landing[] }): ReactNode {
  const project = useLive((state) => state.projects.find(({ id }) => id === props.project));
  return (
    <section className="landing-group">
      <h3>{project?.name ?? props.project}</h3>
      <ol>
        {props.landings.map((landing, at) => (
          <li key={landing.run} className="landing-row" data-landing={landing.run} tabIndex={-1} data-step>
            <span className={at === 0 ? "a-go" : "dim"}>
              <Icon name={at === 0 ? "landing" : "queued"} />
            </span>
            <span className="landing-what">
              <Link to={toRunPage(landing.run)} className="landing-title">
                {landing.title}
              </Link>
              <span className="dim">
                {toMany(landing.paths.length, "file")}
                {landing.approvedBy === null ? "" : `, approved by ${toWho(landing.approvedBy)}`}
              </span>
              <Stage landing={landing} at={at} test={project?.landingTest ?? null} />
            </span>
            <Since atMs={landing.sinceMs} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** How far the first one is; the others wait for it. */
function Stage(props: {
  readonly landing: Landing;
  readonly at: number;
  readonly test: readonly string[] | null;
}): ReactNode {
  const { landing, at, test } = props;
  const isIntended = useHeard(false, (before, events) => {
    const isOf = (event: LogEvent): boolean => textIn(event, "run") === landing.run && stages.test(event.type);
    const last = events.findLast(isOf);
    return last === undefined ? before : last.type === "landing.intended";
  });
  if (at > 0) return <span className="dim">{at === 1 ? "next" : `${at} before it`}</span>;
  if (isIntended) return <span className="a-go">the ref is about to move</span>;
  if (test === null) return <span className="a-go">lands untested: the project has no test</span>;
  return (
    <span className="a-go">
      testing: <code title={test.join(" ")}>{test.map(toShell).join(" ").slice(0, 120)}</code>
    </span>
  );
}
