import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { Link, RunLink, toAgentPage } from "../shell/link.tsx";

/** The run, agent or holder outside that an event is about. */
export function Subject(props: {
  readonly subject: string | undefined;
  readonly agent: string | undefined;
}): ReactNode {
  const { subject, agent } = props;
  const name = useLive((state) => (agent === undefined ? undefined : state.agents.get(agent)?.name));
  if (subject !== undefined) return <RunLink id={subject} aside />;
  if (agent === undefined) return null;
  return (
    <Link to={toAgentPage(agent)} className="rid" aside>
      {name ?? agent}
    </Link>
  );
}
