import { type ReactNode, useState } from "react";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toCount } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { cutLine, toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { Link, toRunPage } from "../shell/link.tsx";

const stepRows = 400;
const charsMax = 400;

/** Where each line of a file on mainline comes from: a run, or somebody's own commit. */
export function BlamePanel({ path }: { readonly path: string }): ReactNode {
  const { project: chosen } = useAddress();
  const first = useLive((state) => state.projects[0]?.name);
  const project = chosen ?? first ?? "";
  const mainline = useLive((state) => state.projects.find(({ name }) => name === project)?.mainline ?? "");
  const [rowsMax, setRowsMax] = useState(stepRows);
  const { value, trouble } = useAsked({
    subject: `blame ${project} ${path}`,
    stamp: mainline,
    ask: (client, signal) => client.call("project.blame", { project, path }, { signal }),
  });
  const lines = value?.lines ?? [];
  return (
    <Panel
      name="blame"
      title={`Lines of ${toVisible(path)}`}
      meta={project}
      end={
        <>
          <CopyButton
            text={`signalbox blame ${toShell(path)} --project ${toShell(project)}`}
            label="Copy the command that shows the same"
          />
          <Button size="small" icon="close" onClick={() => goTo({ file: null })}>
            Recent landings
          </Button>
        </>
      }
    >
      {value === null ? (
        <Quiet title={trouble ?? "Tracing its lines back …"} />
      ) : lines.length === 0 ? (
        <Quiet title="It has no lines" />
      ) : (
        <div className="panel-scroll" tabIndex={0} role="group" aria-label="Lines and where they come from">
          <table className="blame">
            <tbody>
              {lines.slice(0, rowsMax).map((line, at) => {
                const before = lines[at - 1];
                const isFirst = before === undefined || before.commit !== line.commit;
                return (
                  <tr key={line.line} className={isFirst ? "first" : undefined}>
                    <td className="blame-by" title={`${line.commit}\n${line.title}`}>
                      {isFirst ? (
                        line.run === null ? (
                          <span className="dim">{toVisible(line.author)}</span>
                        ) : (
                          <Link to={toRunPage(line.run)} className="rid">
                            {line.run}
                          </Link>
                        )
                      ) : null}
                    </td>
                    <td className="blame-title">{isFirst ? toVisible(line.title) : null}</td>
                    <td className="no">{line.line}</td>
                    <td className="line">
                      <code>{toVisible(cutLine(line.text, charsMax).text)}</code>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {lines.length > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={() => setRowsMax(rowsMax + stepRows)}>
                {`Show ${Math.min(stepRows, lines.length - rowsMax)} more of ${toCount(lines.length)} lines`}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Panel>
  );
}
