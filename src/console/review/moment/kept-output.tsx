import { type ReactNode, useState } from "react";
import { useAsked } from "../../live/use-asked.ts";
import { toBytes } from "../../model/format.ts";
import { toPlainOutput } from "../../model/plain-output.ts";
import { Button } from "../../parts/button.tsx";

const firstBytes = 16_384;
const allBytes = 524_288;

/** What a command said, the end of it first; the rest is one press away, as far as it is kept. */
export function KeptOutput({ id, step }: { readonly id: string; readonly step: number }): ReactNode {
  const [bytes, setBytes] = useState(firstBytes);
  const { value, trouble, again } = useAsked({
    subject: `output ${id} ${step} ${bytes}`,
    stamp: 0,
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
        {text === "" ? <span className="output-none">It said nothing.</span> : text}
      </pre>
    </>
  );
}
