import { type ReactNode, type SubmitEvent, useState } from "react";
import { useActs } from "../acts/act-context.tsx";
import { parseViews, queryOf, type SavedView, viewNameCharsMax, withoutView, withView } from "../model/saved-views.ts";
import { goToQuery, toHref, useAddress } from "../shell/address.ts";
import { keepPreference, readPreference } from "../shell/preferences.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

const actions = { save: " save", forget: " forget" } as const;

/** Views of a list by name: chosen, saved and forgotten in one place. */
export function SavedViews({ of }: { readonly of: "runs" | "events" }): ReactNode {
  const address = useAddress();
  const { toasts } = useActs();
  const name = `views.${of}`;
  const [views, setViews] = useState(() => parseViews(readPreference(name)));
  const [isNaming, setNaming] = useState(false);
  const query = queryOf(toHref(address));
  const current = views.find((view) => view.query === query);
  const keep = (next: readonly SavedView[]): void => {
    keepPreference(name, JSON.stringify(next));
    setViews(next);
  };
  const forget = (view: SavedView): void => {
    keep(withoutView(views, view.name));
    toasts.note({
      tone: "rest",
      title: `The view ${view.name} is forgotten`,
      undo: () => keep(withView(parseViews(readPreference(name)), view)),
    });
  };
  const choose = (value: string): void => {
    if (value === actions.save) setNaming(true);
    else if (value === actions.forget && current !== undefined) forget(current);
    else {
      const view = views.find((each) => each.name === value);
      if (view !== undefined) goToQuery(view.query);
    }
  };
  return (
    <>
      <select
        className="views"
        aria-label="Saved views"
        value={current?.name ?? ""}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">Views</option>
        {views.map((view) => (
          <option key={view.name}>{view.name}</option>
        ))}
        {current === undefined && query !== "" ? <option value={actions.save}>Save this view …</option> : null}
        {current === undefined ? null : <option value={actions.forget}>Forget this view</option>}
      </select>
      {isNaming ? (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(given) => {
            keep(withView(views, { name: given, query }));
            setNaming(false);
          }}
        />
      ) : null}
    </>
  );
}

function NameDialog(props: { readonly onClose: () => void; readonly onName: (name: string) => void }): ReactNode {
  const [name, setName] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() !== "") props.onName(name);
  };
  return (
    <Dialog title="Save this view" onClose={props.onClose}>
      <form onSubmit={submit}>
        <label className="field">
          <span>Its name; one of the same name is replaced</span>
          <input
            data-first
            value={name}
            maxLength={viewNameCharsMax}
            spellCheck={false}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <div className="dialog-acts">
          <Button hotkey="Esc" onClick={props.onClose}>
            Not now
          </Button>
          <Button submits look="primary" hotkey="↵" disabled={name.trim() === ""}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
