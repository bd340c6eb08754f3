import { type ReactNode, useMemo } from "react";
import type { TrashItem } from "../../protocol/wire/change.ts";
import { useAsked } from "../live/use-asked.ts";
import { toBytes, toCount } from "../model/format.ts";
import { toPlainOutput } from "../model/plain-output.ts";
import { toShell } from "../model/shell-text.ts";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";

const charsMax = 20_000;

/** Shows what was set aside, and gives it back as a file. Mainline is not touched by that, and it stays in the trash. */
export function RestoreDialog({
  item,
  onClose,
}: {
  readonly item: TrashItem;
  readonly onClose: () => void;
}): ReactNode {
  const { value, trouble } = useAsked({
    subject: `trash ${item.id}`,
    stamp: 0,
    ask: (client, signal) => client.call("trash.get", { id: item.id }, { signal }),
  });
  const base64 = value?.base64 ?? null;
  return (
    <Dialog title={`Restore ${toVisible(item.path)}`} wide onClose={onClose}>
      <p>
        {item.run} left it without landing: {item.why}. Saving it changes nothing here; commit the file yourself, or
        give it to a new run.
      </p>
      {trouble === null ? null : <p className="a-stop">{trouble}</p>}
      {value === null ? (
        trouble === null ? (
          <p className="dim">Reading it …</p>
        ) : null
      ) : base64 === null ? (
        <p>The run had deleted it: there is no content to be had back.</p>
      ) : (
        <Content base64={base64} />
      )}
      <Command text={`signalbox trash restore ${item.id} --to ${toShell(item.path)}`} />
      <div className="dialog-acts">
        <Button hotkey="Esc" onClick={onClose}>
          Close
        </Button>
        <Button
          look="primary"
          icon="save"
          disabled={base64 === null}
          onClick={() => {
            if (base64 !== null) save(base64, item.path);
          }}
        >
          Save as a file
        </Button>
      </div>
    </Dialog>
  );
}

function Content({ base64 }: { readonly base64: string }): ReactNode {
  const text = useMemo(() => toPlainOutput(base64), [base64]);
  const bytes = Math.floor((base64.length * 3) / 4);
  if (text.includes("⟨U+0000⟩")) return <p>Not text, {toBytes(bytes)}. Save it to look at it.</p>;
  const left = text.length - charsMax;
  return (
    <pre className="output trash-content" tabIndex={0} role="group" aria-label="Content">
      {text.slice(0, charsMax)}
      {left > 0 ? `\n… and ${toCount(left)} more characters` : ""}
    </pre>
  );
}

function save(base64: string, path: string): void {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = path.slice(path.lastIndexOf("/") + 1);
  link.click();
  URL.revokeObjectURL(url);
}
