import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { toLogsCommand } from "../model/agent-acts.ts";
import { toCount } from "../model/format.ts";
import { findLines, linesMax, type LogHead, type SaidLine, withHeads } from "../model/service-log.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { ClockTime } from "../parts/times.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { goTo, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { useServiceLog } from "./use-service-log.ts";

const linePx = 18;
const foldedStep = 300;
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

type LinesProps = {
  readonly lines: readonly SaidLine[];
  readonly said: string;
  readonly width: number;
};

/** Lines as they come, as many as there are; on a phone each is folded, so that its end is in sight. */
export function Lines(props: LinesProps): ReactNode {
  return useIsNarrow() ? <FoldedLines {...props} /> : <LongLines {...props} />;
}

function LongLines({ lines, said, width }: LinesProps): ReactNode {
  const rows = useMemo(() => withHeads(lines), [lines]);
  const box = useRef<HTMLDivElement>(null);
  const { from, to } = useVirtualRows(box, rows.length, linePx);
  return (
    <LogFrame box={box} isFull={lines.length >= linesMax}>
      <div className="log-space" style={{ height: `${rows.length * linePx}px` }}>
        {rows.slice(from, to).map((row, at) => (
          <LogRow key={row.number} row={row} said={said} width={width} topPx={(from + at) * linePx} />
        ))}
      </div>
    </LogFrame>
  );
}

/** How high a line is, nobody knows before it is folded: so only the newest are drawn, and more on demand. */
function FoldedLines({ lines, said, width }: LinesProps): ReactNode {
  const rows = useMemo(() => withHeads(lines), [lines]);
  const box = useRef<HTMLDivElement>(null);
  const [rowsMax, setRowsMax] = useState(foldedStep);
  const before = Math.max(0, rows.length - rowsMax);
  return (
    <LogFrame box={box} isFull={lines.length >= linesMax}>
      {before === 0 ? null : (
        <div className="more-row">
          <Button size="small" onClick={() => setRowsMax(rowsMax + foldedStep)}>
            {`Show ${toCount(Math.min(foldedStep, before))} earlier lines`}
          </Button>
        </div>
      )}
      {rows.slice(before).map((row) => (
        <LogRow key={row.number} row={row} said={said} width={width} topPx={null} />
      ))}
    </LogFrame>
  );
}

/** Follows what comes, unless somebody has scrolled up to read. */
function LogFrame(props: {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly isFull: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { box, isFull, children } = props;
  const [isFollowing, setFollowing] = useState(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && isFollowing) element.scrollTo({ top: element.scrollHeight });
  });
  useEffect(() => {
    // A panel that becomes smaller would hide the newest lines.
    const element = box.current;
    if (element === null || !isFollowing) return undefined;
    const observer = new ResizeObserver(() => element.scrollTo({ top: element.scrollHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, isFollowing]);
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
        {children}
      </div>
      {isFollowing ? null : (
        <span className="log-follow">
          <Button size="small" icon="landing" onClick={() => setFollowing(true)}>
            Follow
          </Button>
        </span>
      )}
      {isFull ? <p className="log-note dim">Older lines: signalbox agent logs</p> : null}
    </div>
  );
}

/** One line, at its place among all, or below the one before it. */
function LogRow(props: {
  readonly row: SaidLine | LogHead;
  readonly said: string;
  readonly width: number;
  readonly topPx: number | null;
}): ReactNode {
  const { row, said, width, topPx } = props;
  const place = topPx === null ? {} : { style: { top: `${topPx}px` } };
  const look = topPx === null ? "log-line folded" : "log-line";
  if ("head" in row)
    return (
      <div className={`${look} log-head`} {...place}>
        {row.head}
      </div>
    );
  return (
    <div className={look} {...place}>
      {row.atMs === null ? (
        <span className="log-at" title="An earlier release kept it, and not when it was said" />
      ) : (
        <ClockTime className="log-at" wallMs={row.atMs} />
      )}
      <span className="log-who" title={`${row.service}, life ${row.life}`}>
        {row.service.padEnd(width)}
      </span>
      <span className="log-text">{said === "" ? row.text : <Marked text={row.text} said={said} />}</span>
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
