import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useAsked } from "../../live/use-asked.ts";
import { useTicks } from "../../live/use-ticks.ts";
import { toBytes } from "../../model/format.ts";
import { toPlainOutput } from "../../model/plain-output.ts";
import { Button } from "../../parts/button.tsx";

const firstBytes = 16_384;
const allBytes = 524_288;
const lookMs = 1000;
/** As near to its end as counts as being there. */
const slackPx = 24;

type KeptOutputProps = {
  readonly id: string;
  readonly step: number;
  readonly isOver: boolean;
  /** Whether its last lines are in sight first, also when no more come. */
  readonly isEndFirst?: boolean;
};

type ShownProps = {
  readonly value: { readonly base64: string; readonly offset: number; readonly size: number };
  readonly isOver: boolean;
  readonly isEndFirst: boolean;
  readonly step: number;
  readonly more: (() => void) | null;
};

/** What a command said, the end of it first; the rest is one press away, as far as it is kept. While it says it, that is shown. */
export function KeptOutput({ id, step, isOver, isEndFirst = false }: KeptOutputProps): ReactNode {
  const [bytes, setBytes] = useState(firstBytes);
  const looks = useTicks(isOver ? null : lookMs);
  const { value, trouble, again } = useAsked({
    subject: `output ${id} ${step} ${bytes}`,
    stamp: isOver ? "over" : looks,
    ask: (client, signal) => client.call("run.output", { run: id, step, offset: -bytes, limit: bytes }, { signal }),
  });
  if (value === null) {
    return trouble === null ? (
      <p className="dim">Reading what it said …</p>
    ) : (
      <p className="moment-says">
        {trouble}{" "}
        <button type="button" className="text-button" onClick={again}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <Shown
      value={value}
      isOver={isOver}
      isEndFirst={isEndFirst}
      step={step}
      more={bytes === firstBytes ? () => setBytes(allBytes) : null}
    />
  );
}

/** The output, and while it grows the end of it, unless somebody has scrolled elsewhere. */
function Shown(props: ShownProps): ReactNode {
  const { value, isOver, isEndFirst, step, more } = props;
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(!isOver || isEndFirst);
  const text = toPlainOutput(value.base64);
  useLayoutEffect(() => {
    if (box.current !== null && isAtEnd.current && (!isOver || isEndFirst))
      box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <>
      {value.offset === 0 ? null : (
        <p className="moment-more">
          <span className="dim">
            the last {toBytes(value.size - value.offset)} of {toBytes(value.size)}
          </span>
          {more === null ? null : (
            <Button size="small" onClick={more}>
              Show more
            </Button>
          )}
        </p>
      )}
      <pre
        ref={box}
        className="output"
        tabIndex={0}
        role="group"
        aria-label={`Output of step ${step}`}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight >= scrollHeight - slackPx;
        }}
      >
        {text === "" ? <span className="output-none">{isOver ? "It said nothing." : "Nothing yet."}</span> : text}
      </pre>
    </>
  );
}
