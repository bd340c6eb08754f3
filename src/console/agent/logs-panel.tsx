import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { toLogsCommand } from "../model/agent-acts.ts";
import { toCount } from "../model/format.ts";
import { findLines, linesMax, type SaidLine, withHeads } from "../model/service-log.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { ClockTime } from "../parts/times.tsx";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { goTo, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { useServiceLog } from "./use-service-log.ts";

const linePx = 18;
/** As near to its end as counts as being there. */
const slackPx = 24;

/** What the services say, all together or one of them, as it comes. Whoever scrolls up reads in peace. */
export function LogsPanel({ agent }: { readonly agent: AgentView }): ReactNode {
  const { service, said } = useAddress();
  const { lines, isRead, trouble } = useServiceLog(agent);
  const shown = useMemo(() => findLines(lines, service, said), [lines, service, said]);
  return (
    <Panel
      name="logs"
      title="Logs"
      meta={said === "" ? undefined : `${toCount(shown.length)} found`}
      end={
        <>
          <FindLines />
          <select
            className="small-pick"
            aria-label="Which service"
            value={service ?? ""}
            onChange={({ target }) => goTo({ service: target.value === "" ? null : target.value }, "replace")}
          >
            <option value="">All services</option>
            {agent.services.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
            {service === null || agent.services.some(({ name }) => name === service) ? null : (
              <option>{service}</option>
            )}
          </select>
          <CopyButton text={toLogsCommand(agent.name, service, said)} label="Copy the command that shows the same" />
        </>
      }
    >
      {trouble === null ? null : (
        <p className="log-note a-stop" role="alert">
          {trouble}
        </p>
      )}
      {lines.length === 0 && !isRead ? (
        trouble === null && <Awaited what="Reading what services said" rows={8} />
      ) : shown.length === 0 ? (
        <Quiet title={said === "" ? "Nothing was said yet" : "Nothing that was said has this in it"}>
          {said === "" ? "What services write to their output comes here." : undefined}
        </Quiet>
      ) : (
        <Lines lines={shown} said={said} width={Math.max(...agent.services.map(({ name }) => name.length), 0)} />
      )}
    </Panel>
  );
}

function FindLines(): ReactNode {
  const { said } = useAddress();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ L: () => input.current?.focus() });
  return (
    <label className="log-find">
      <Icon name="search" />
      <span className="sr">Only lines with this in them</span>
      <input
        ref={input}
        type="search"
        placeholder="Find in logs"
        value={said}
        maxLength={200}
        spellCheck={false}
        aria-keyshortcuts="L"
        onChange={({ target }) => goTo({ said: target.value }, "replace")}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          goTo({ said: "" }, "replace");
          input.current?.blur();
        }}
      />
    </label>
  );
}

/** Lines as they come, as many as there are. */
export function Lines(props: {
  readonly lines: readonly SaidLine[];
  readonly said: string;
  readonly width: number;
}): ReactNode {
  const { lines, said, width } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => withHeads(lines), [lines]);
  const { from, to } = useVirtualRows(box, rows.length, linePx);
  const [isFollowing, setFollowing] = useState(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && isFollowing) element.scrollTop = element.scrollHeight;
  });
  useEffect(() => {
    // A panel that becomes smaller would hide the newest lines.
    const element = box.current;
    if (element === null || !isFollowing) return undefined;
    const observer = new ResizeObserver(() => (element.scrollTop = element.scrollHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isFollowing]);
  return (
    <div className="log-frame">
      <div
        ref={box}
        className="log-scroll"
        tabIndex={0}
        role="group"
        aria-label="What the services said"
        data-following={isFollowing}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
          setFollowing(scrollTop + clientHeight >= scrollHeight - slackPx)
        }
      >
        <div className="log-space" style={{ height: `${rows.length * linePx}px` }}>
          {rows.slice(from, to).map((line, at) => {
            const style = { top: `${(from + at) * linePx}px` };
            if ("head" in line)
              return (
                <div key={line.number} className="log-line log-head" style={style}>
                  {line.head}
                </div>
              );
            return (
              <div key={line.number} className="log-line" style={style}>
                {line.atMs === null ? (
                  <span className="log-at" title="An earlier release kept it, and not when it was said" />
                ) : (
                  <ClockTime className="log-at" wallMs={line.atMs} />
                )}
                <span className="log-who" title={`${line.service}, life ${line.life}`}>
                  {line.service.padEnd(width)}
                </span>
                <span>{said === "" ? line.text : <Marked text={line.text} said={said} />}</span>
              </div>
            );
          })}
        </div>
      </div>
      {isFollowing ? null : (
        <span className="log-follow">
          <Button size="small" icon="landing" onClick={() => setFollowing(true)}>
            Follow
          </Button>
        </span>
      )}
      {lines.length >= linesMax ? <p className="log-note dim">Older lines: signalbox agent logs</p> : null}
    </div>
  );
}

/** The line with what was looked for marked in it. */
function Marked({ text, said }: { readonly text: string; readonly said: string }): ReactNode {
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  const wanted = said.toLowerCase();
  let done = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    parts.push(text.slice(done, at), <mark key={at}>{text.slice(at, at + said.length)}</mark>);
    done = at + said.length;
  }
  return (
    <>
      {parts}
      {text.slice(done)}
    </>
  );
}
