import { type ReactNode, useState } from "react";
import type { Client } from "../../client/client.ts";
import { limits } from "../../protocol/limits.ts";
import { useAsked } from "../live/use-asked.ts";
import { toBytes } from "../model/format.ts";
import { toPlainOutput } from "../model/plain-output.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";

/** What a run's record calls all that the test said which kept it from landing. */
const artifact = "landing-test.txt";

/** The way from a reason that names the test's output to that output. */
export function TestOutput({ id, because }: { readonly id: string; readonly because: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!because.includes(artifact)) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        What the test said
      </Button>
      {isOpen ? (
        <Dialog wide title="What the test said" onClose={() => setOpen(false)}>
          <Said id={id} />
          <div className="dialog-acts">
            <Button hotkey="Esc" onClick={() => setOpen(false)}>
              Close
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

function Said({ id }: { readonly id: string }): ReactNode {
  const { value, trouble } = useAsked({
    subject: `artifact ${id} ${artifact}`,
    stamp: 0,
    ask: (client, signal) => readEnd(client, id, signal),
  });
  if (value === null) return <p className="dim">{trouble ?? "Reading what it said …"}</p>;
  const { base64, from, totalBytes } = value;
  return (
    <>
      {from === 0 ? null : (
        <p className="dim">
          the last {toBytes(totalBytes - from)} of {toBytes(totalBytes)}
        </p>
      )}
      <pre className="output test-output" tabIndex={0} role="group" aria-label="Output of the test">
        {toPlainOutput(base64)}
      </pre>
    </>
  );
}

/** The end of it is what says why. */
async function readEnd(
  client: Client,
  run: string,
  signal: AbortSignal,
): Promise<{ readonly base64: string; readonly from: number; readonly totalBytes: number }> {
  const part = await client.call("run.artifact", { run, name: artifact }, { signal });
  const from = part.totalBytes - limits.artifactBytesMax;
  return from <= 0 ? part : await client.call("run.artifact", { run, name: artifact, from }, { signal });
}
