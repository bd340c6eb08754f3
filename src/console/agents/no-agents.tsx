import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { toShell } from "../model/shell-text.ts";
import { Command } from "../parts/command.tsx";
import { Link } from "../shell/link.tsx";
import "../overview/empty.css";

/** No agent yet: what one is for, and the commands that make the first. */
export function NoAgents(): ReactNode {
  const project = useLive((state) => state.projects[0]?.name);
  const at = project === undefined ? "" : ` --project ${toShell(project)}`;
  return (
    <div className="empty">
      <div className="empty-in">
        <h2>No agent lives here yet</h2>
        <p className="empty-lead">
          An agent is an environment that stays: a workspace of a project, a cage around it, and services that run
          inside, with ports of their own. Ten of them run side by side, and a restart of the daemon ends none.
        </p>
        <ol className="steps">
          <li className="step">
            <em aria-hidden="true">1</em>
            <div>
              <h3>Write a template</h3>
              <p>
                In the folder of a project{project === undefined ? " that was added" : ""}. Others to begin with:{" "}
                <code>signalbox template list</code>
              </p>
              <Command text="signalbox template init shop --from node-postgres" />
            </div>
          </li>
          <li className="step">
            <em aria-hidden="true">2</em>
            <div>
              <h3>Make an agent of it</h3>
              <p>And another one beside it, with the same command and a name.</p>
              <Command text={`signalbox agent create${at}`} />
            </div>
          </li>
        </ol>
        <p className="empty-or">
          Or choose one here and fill in a form:{" "}
          <Link to={{ place: "section", id: "templates", item: null }} className="btn plain">
            Templates
          </Link>
        </p>
        <p className="dim">It shows here as soon as it is made; there is nothing to reload.</p>
      </div>
    </div>
  );
}
