import { type ReactNode, type SubmitEvent, useMemo, useState } from "react";
import { ProtocolError } from "../../protocol/errors.ts";
import { useIsLive } from "../live/live-context.tsx";
import { type Draft, fieldAt, type Field, type Read, readChange, readDraft, toDraft } from "../model/form-fields.ts";
import { Button } from "../parts/button.tsx";
import { Finding, FormFields } from "../parts/form.tsx";

/**
 * A form for one thing, made from the fields of its operation. What the daemon refuses stands at the field that it is about.
 */
export function Editor(props: {
  readonly fields: readonly Field[];
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether only what was changed is said. */
  readonly isChange?: boolean;
  readonly save: string;
  /** Left out: all of them are. What stands in one that is not shown is sent all the same. */
  readonly isShown?: (field: Field, draft: Draft) => boolean;
  readonly onSave: (value: Record<string, unknown>) => Promise<void>;
  /** Further acts, at the end of the row. */
  readonly end?: ReactNode;
}): ReactNode {
  const { fields, value, isChange = false, save, isShown, onSave, end } = props;
  const isLive = useIsLive();
  const before = useMemo(() => toDraft(fields, value), [fields, value]);
  // What somebody has written stays, also when somebody else saves meanwhile.
  const [edited, setEdited] = useState<Draft | null>(null);
  const [refused, setRefused] = useState<{ readonly path: string | null; readonly why: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const draft = edited ?? before;
  const read: Read = isChange ? readChange(fields, before, draft) : readDraft(fields, draft);
  const findings = new Map(read.troubles);
  if (refused !== null && refused.path !== null) findings.set(refused.path, refused.why);
  const isReady = isLive && !isBusy && edited !== null && read.troubles.size === 0;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    setRefused(null);
    onSave(read.value)
      .then(() => setEdited(null))
      .catch((error: unknown) => setRefused(toRefused(error, fields)))
      .finally(() => setBusy(false));
  };
  return (
    <form className="form" onSubmit={submit}>
      <FormFields
        fields={isShown === undefined ? fields : fields.filter((field) => isShown(field, draft))}
        draft={draft}
        findings={findings}
        onChange={(next) => {
          setEdited(next);
          setRefused(null);
        }}
      />
      {refused !== null && refused.path === null ? <Finding text={refused.why} /> : null}
      <div className="form-acts">
        <Button submits look="primary" disabled={!isReady}>
          {save}
        </Button>
        {edited === null ? null : (
          <Button
            onClick={() => {
              setEdited(null);
              setRefused(null);
            }}
          >
            Take back
          </Button>
        )}
        <span className="end">{end}</span>
      </div>
    </form>
  );
}

function toRefused(error: unknown, fields: readonly Field[]): { readonly path: string | null; readonly why: string } {
  if (!(error instanceof ProtocolError))
    return { path: null, why: error instanceof Error ? error.message : String(error) };
  const { where, why } = error.data;
  const path = typeof where === "string" ? fieldAt(fields, where) : null;
  const sentence = typeof why === "string" ? `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.` : error.message;
  return { path, why: path === null ? [error.message, ...error.ways].join(" ") : sentence };
}
