import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { toAttachmentName } from "../../protocol/attachment-name.ts";
import { limits } from "../../protocol/limits.ts";
import type { InputOf } from "../../protocol/operations.ts";
import type { Task } from "../../protocol/wire/task.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { toBytes } from "../model/format.ts";
import { toAttachCommand } from "../model/told-commands.ts";
import { Button } from "../parts/button.tsx";
import { Finding } from "../parts/form.tsx";
import { useSettingActs } from "./use-setting-acts.ts";

type Attachment = InputOf<"task.attach">["attachment"];
type Kind = Attachment["kind"];

/** Lets a note, a link or a file come along with a task. */
export function AttachForm({ task }: { readonly task: Task }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { say } = useSettingActs();
  const [kind, setKind] = useState<Kind>("note");
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const id = useId();
  const [refused, setRefused] = useState<string | null>(null);
  const isReady = isLive && (kind === "file" ? file !== null : name !== "" && text !== "");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setRefused(null);
    toAttachment(kind, name, text, file)
      .then(async (attachment) => {
        await client.call("task.attach", { task: task.id, attachment });
        // What had its name is gone, and taking this away would not bring it back.
        const isNew = task.attachments.every((each) => each.name !== attachment.name);
        const detach = (): Promise<unknown> => client.call("task.detach", { task: task.id, name: attachment.name });
        say({
          title: `${attachment.name} comes along with ${task.id}`,
          command: toAttachCommand(task.id, attachment, file?.name ?? attachment.name),
          ...(isNew ? { undo: detach } : {}),
        });
        setName("");
        setText("");
        setFile(null);
        setSent((count) => count + 1);
      })
      .catch((error: unknown) => setRefused(error instanceof Error ? error.message : String(error)));
  };
  return (
    <form className="form" onSubmit={submit} aria-label="What comes along">
      <div className="form-fields">
        <div className="form-field">
          <label htmlFor={`${id}-kind`}>Comes along</label>
          <select id={`${id}-kind`} value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
            <option value="note">a note</option>
            <option value="link">a link</option>
            <option value="file">a file</option>
          </select>
        </div>
        {kind === "file" ? (
          <div className="form-field">
            <label htmlFor={`${id}-file`}>File, at most {toBytes(limits.attachmentBytesMax)}</label>
            <input
              // A field for files is emptied by making it anew.
              key={sent}
              id={`${id}-file`}
              type="file"
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
            />
          </div>
        ) : (
          <>
            <div className="form-field">
              <label htmlFor={`${id}-name`}>Name</label>
              <input
                id={`${id}-name`}
                value={name}
                placeholder={kind === "note" ? "tone.md" : "style"}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setName(target.value)}
              />
            </div>
            <div className="form-field wide">
              <label htmlFor={`${id}-text`}>{kind === "note" ? "What it says" : "Where it leads"}</label>
              <textarea
                id={`${id}-text`}
                value={text}
                rows={kind === "note" ? 2 : 1}
                onChange={({ target }) => setText(target.value)}
              />
            </div>
          </>
        )}
      </div>
      {refused === null ? null : <Finding text={refused} />}
      <div>
        <Button submits disabled={!isReady}>
          Let it come along
        </Button>
      </div>
    </form>
  );
}

async function toAttachment(kind: Kind, name: string, text: string, file: File | null): Promise<Attachment> {
  if (kind === "note") return { kind, name, text };
  if (kind === "link") return { kind, name, url: text.trim() };
  if (file === null) throw new Error("Choose a file.");
  const most = limits.attachmentBytesMax;
  if (file.size > most) throw new Error(`${file.name} has ${toBytes(file.size)}; at most ${toBytes(most)} come along.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { kind, name: toAttachmentName(file.name), base64: btoa(binary) };
}
