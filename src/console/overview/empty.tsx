import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { toShell } from "../model/shell-text.ts";
import { Command } from "../parts/command.tsx";
import { DemoButton } from "./demo-button.tsx";
import "./empty.css";

const script = `cat > hello.yaml <<'END'
task: Say hello
steps:
  - claim: file:hello.txt
  - write: { path: hello.txt, content: hello }
  - sleep: 10s
  - ask: Shall I stop here?
END`;

/** Nothing has run yet: what this is for, and the exact commands that come next. */
export function Empty(): ReactNode {
  const project = useLive((state) => state.projects[0]?.name);
  return (
    <div className="empty">
      <div className="empty-in">
        <h2>Nothing runs yet</h2>
        <p className="empty-lead">
          Signalbox lets agents work side by side on one repository. Each writes only where it holds the lease; the
          others stand at the signal and spend nothing. The demo lets eight scripted agents loose on a sample
          repository: five land by themselves, one waits for your review, one works on, and one waits for what that one
          holds. It needs no key:
        </p>
        <DemoButton />
        <p className="empty-or">Or step by step, on a project of your own:</p>
        <ol className="steps">
          <Step
            number={1}
            title={project === undefined ? "Add a project" : `Project ${project} is added`}
            isDone={project !== undefined}
          >
            {project === undefined ? (
              <>
                <p>In the folder that agents shall work on:</p>
                <Command text="signalbox project add ." />
              </>
            ) : (
              <p>Add more with the same command in other folders.</p>
            )}
          </Step>
          <Step number={2} title="Write a script">
            <p>A script stands in for an assistant: it claims, writes, waits and asks.</p>
            <Command text={script} />
          </Step>
          <Step number={3} title="Run it, twice">
            <p>Both want the same file. One works; the other waits for it here.</p>
            <Command
              text={`signalbox run ${project === undefined ? "" : `--project ${toShell(project)} `}--runner script --script hello.yaml`}
            />
          </Step>
        </ol>
        <p className="dim">
          From a checkout, <code>signalbox</code> is <code>bin/signalbox</code>. This page shows the run as soon as it
          is submitted; there is nothing to reload.
        </p>
      </div>
    </div>
  );
}

function Step(props: {
  readonly number: number;
  readonly title: string;
  readonly isDone?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { number, title, isDone = false, children } = props;
  return (
    <li className={isDone ? "step done" : "step"}>
      <em aria-hidden="true">{isDone ? "✓" : number}</em>
      <div>
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  );
}
