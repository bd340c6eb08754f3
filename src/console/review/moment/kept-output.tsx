import { type ReactNode, useEffect, useState } from "react";
import { useAsked } from "../../live/use-asked.ts";
import { toBytes } from "../../model/format.ts";
import { toPlainOutput } from "../../model/plain-output.ts";
import { Button } from "../../parts/button.tsx";

const firstBytes = 16_384;
const allBytes = 524_288;
const lookMs = 1000;

type KeptOutputProps = { readonly id: string; readonly step: number; readonly isOver: boolean };

/** What a command said, the end of it first; the rest is one press away, as far as it is kept. While it says it, that is shown. */
export function KeptOutput({ id, step, isOver }: KeptOutputProps): ReactNode {
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
  const text = toPlainOutput(value.base64);
  return (
    <>
      {value.offset === 0 ? null : (
        <p className="moment-more">
          <span className="dim">
            the last {toBytes(value.size - value.offset)} of {toBytes(value.size)}
          </span>
          {bytes === firstBytes ? (
            <Button size="small" onClick={() => setBytes(allBytes)}>
              Show more
            </Button>
          ) : null}
        </p>
      )}
      <pre className="output" tabIndex={0} role="group" aria-label={`Output of step ${step}`}>
        {text === "" ? <span className="output-none">{isOver ? "It said nothing." : "Nothing yet."}</span> : text}
      </pre>
    </>
  );
}

/** Counts on, once in so many milliseconds. */
function useTicks(everyMs: number | null): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => setCount((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return count;
}
