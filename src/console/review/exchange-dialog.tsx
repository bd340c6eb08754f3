import type { ReactNode } from "react";
import type { Client } from "../../client/client.ts";
import { useAsked } from "../live/use-asked.ts";
import { type Exchange, readExchange } from "../model/exchange.ts";
import { toPlainText } from "../model/plain-output.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";

/** What is larger is not read into the page: the command that saves it is there. */
const shownBytesMax = 4_194_304;

/** One request to a model and what it answered, as they are kept. */
export function ExchangeDialog(props: {
  readonly run: string;
  readonly request: string;
  readonly onClose: () => void;
}): ReactNode {
  const { run, request, onClose } = props;
  const name = `exchange-${request}`;
  const { value, trouble, again } = useAsked({
    subject: `artifact ${run} ${name}`,
    stamp: 0,
    ask: (client, signal) => readWhole(client, { run, name }, signal),
  });
  return (
    <Dialog wide title={`Request ${request}`} onClose={onClose}>
      {value === null ? (
        <Awaited what="Reading it" trouble={trouble} again={again} />
      ) : value.exchange === null ? (
        <p className="dim">It is too large to be shown here.</p>
      ) : (
        <Sides exchange={value.exchange} />
      )}
      <Command text={`signalbox artifacts ${run} ${name}`} />
      <div className="dialog-acts">
        <Button hotkey="Esc" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Sides({ exchange: { asked, answered } }: { readonly exchange: Exchange }): ReactNode {
  return (
    <>
      <Side title={`Asked: ${asked.method} ${asked.target}`} text={asked.body} isCut={asked.isCut} />
      <Side
        title={`Answered: ${answered.status ?? "it was not reached"}`}
        text={answered.body}
        isCut={answered.isCut}
      />
    </>
  );
}

function Side(props: { readonly title: string; readonly text: string; readonly isCut: boolean }): ReactNode {
  const { title, text, isCut } = props;
  return (
    <section className="exchange-side">
      <h3>{title}</h3>
      <pre className="output" tabIndex={0} role="group" aria-label={title}>
        {text === "" ? "Nothing." : toPlainText(text)}
      </pre>
      {isCut ? <p className="dim">It went on after this; no more is kept.</p> : null}
    </section>
  );
}

async function readWhole(
  client: Client,
  what: { readonly run: string; readonly name: string },
  signal: AbortSignal,
): Promise<{ readonly exchange: Exchange | null }> {
  const parts: Uint8Array[] = [];
  for (let from = 0; ;) {
    const { base64, totalBytes } = await client.call("run.artifact", { ...what, from }, { signal });
    if (totalBytes > shownBytesMax) return { exchange: null };
    const part = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    parts.push(part);
    from += part.length;
    if (from >= totalBytes || part.length === 0) return { exchange: readExchange(parts) };
  }
}
