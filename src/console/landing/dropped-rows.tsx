import type { ReactNode } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import { toVisible } from "../model/visible-text.ts";
import { Command } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";

type Dropped = NonNullable<OutputOf<"trash.list">["dropped"]>;

/** What had landed before somebody took it off their branch: git brings it back, in their own checkout (LD58). */
export function DroppedRows({ dropped }: { readonly dropped: Dropped }): ReactNode {
  if (dropped.length === 0) return null;
  return (
    <>
      <p className="dim">Landed, and taken off the branch since. In a checkout of the project, this brings one back:</p>
      <ul>
        {dropped.map(({ commit, title, project, projectName, how }) => (
          <li key={`${project} ${commit}`} className="landing-row" data-dropped={commit}>
            <span className="dim">
              <Icon name="trash" />
            </span>
            <span className="landing-what">
              <span>{toVisible(title)}</span>
              <span className="dim">
                {projectName} <span className="rid">{commit.slice(0, 12)}</span>
              </span>
              <Command text={how} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
