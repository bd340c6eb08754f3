import type { ReactNode } from "react";
import type { Project } from "../../protocol/wire/project.ts";
import { useLive } from "../live/live-context.tsx";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Command } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";

/** How far each project's branch has come, and where it has not: why, and the command that gets it. */
export function PublishedPanel(): ReactNode {
  const only = useProjectId();
  const projects = useLive((state) => state.projects);
  const shown = projects
    .filter(({ id }) => only === null || id === only)
    .toSorted((a, b) => Number(b.notPublished !== null) - Number(a.notPublished !== null));
  return (
    <Panel name="published" title="Branches" meta="mainline, and what people have of it">
      {shown.length === 0 ? (
        <Quiet title="No such project" />
      ) : (
        <ul className="panel-scroll" tabIndex={0} aria-label="Branches">
          {shown.map((project) => (
            <Branch key={project.id} project={project} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Branch({ project }: { readonly project: Project }): ReactNode {
  const { notPublished, mainline, published, branch } = project;
  const isThere = notPublished === null && mainline === published;
  return (
    <li className="branch" data-branch={project.name}>
      <p className="branch-head">
        <span className={isThere ? "a-rest" : "a-wait"}>
          <Icon name={isThere ? "done" : "blocked"} />
        </span>
        <b>{project.name}</b>
        <span className="dim">{project.kind === "git" ? branch : "versioned by us"}</span>
        <code className="dim" title={`Mainline is at ${mainline}`}>
          {mainline.slice(0, 10)}
        </code>
        <span className={isThere ? "branch-word" : "branch-word a-wait"}>
          {isThere ? "published" : notPublished === null ? "being published" : "landed, not published"}
        </span>
      </p>
      {notPublished === null ? null : (
        <>
          <p className="branch-why">{notPublished.why}</p>
          <Command text={notPublished.how} />
        </>
      )}
    </li>
  );
}
