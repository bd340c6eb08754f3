import { type ReactNode, useState } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useAsked } from "../live/use-asked.ts";
import { toBytes } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel } from "../parts/panel.tsx";

const shownBytes = 64 * 1024;

/** What a run left to be read: files that it published. What its commands said is with their steps. */
export function ArtifactsPanel({ run }: { readonly run: Run }): ReactNode {
  const [open, setOpen] = useState<string | null>(null);
  const { value } = useAsked({
    subject: `artifacts ${run.id}`,
    stamp: `${run.state} ${run.callsDone}`,
    ask: (client, signal) => client.call("run.artifacts", { run: run.id, exchanges: false }, { signal }),
  });
  const artifacts = (value?.artifacts ?? []).filter(({ name }) => !/^output-\d+$/.test(name));
  if (artifacts.length === 0) return null;
  return (
    <Panel name="artifacts" title="Artifacts" meta={String(artifacts.length)}>
      <ul className="artifacts">
        {artifacts.map(({ name, bytes }) => (
          <li key={name} data-artifact={name}>
            <button
              type="button"
              className="text-button"
              aria-expanded={open === name}
              onClick={() => setOpen(open === name ? null : name)}
            >
              {toVisible(name)}
            </button>
            <span className="dim num">{toBytes(bytes)}</span>
            <CopyButton
              text={`signalbox artifacts ${run.id} ${toShell(name)}`}
              label="Copy the command that saves it"
            />
            {open === name ? <Artifact run={run.id} name={name} /> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Artifact({ run, name }: { readonly run: string; readonly name: string }): ReactNode {
  const { value, trouble, again } = useAsked({
    subject: `artifact ${run} ${name}`,
    stamp: 0,
    ask: (client, signal) => client.call("run.artifact", { run, name, limit: shownBytes }, { signal }),
  });
  if (value === null) return <Awaited what="Reading it" trouble={trouble} again={again} />;
  const bytes = Uint8Array.from(atob(value.base64), (char) => char.charCodeAt(0));
  if (bytes.includes(0)) return <p className="dim">It is not text.</p>;
  return (
    <>
      <pre className="spec" tabIndex={0} role="group" aria-label={name}>
        {new TextDecoder().decode(bytes).split("\n").map(toVisible).join("\n")}
      </pre>
      {value.totalBytes > bytes.length ? <p className="dim">The first {toBytes(bytes.length)} of it.</p> : null}
    </>
  );
}
