import { type ReactNode, useId, useState } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { eventKinds } from "../model/event-kinds.ts";
import { knownTypes } from "../model/event-sentence.ts";
import { readInstant } from "../model/format.ts";
import { spansAgo } from "../model/spans-ago.ts";
import { Button } from "../parts/button.tsx";
import { useEventAt } from "../past/use-event-at.ts";
import { goTo, useAddress } from "../shell/address.ts";

/** Narrows the log; project and text stand above the page. */
export function EventFilters(): ReactNode {
  const { types, of, unit } = useAddress();
  const value = types.join(",");
  const kinds = eventKinds.map((kind) => [kind.label, kind.types.join(",")] as const);
  const isKnown = value === "" || kinds.some(([, set]) => set === value) || knownTypes.includes(value);
  return (
    <div className="run-filters" role="group" aria-label="Filters">
      <label>
        <span>Kind</span>
        <select
          value={value}
          onChange={({ target }) => goTo({ types: target.value.split(",").filter((each) => each !== "") }, "replace")}
        >
          <option value="">Any</option>
          {kinds.map(([label, set]) => (
            <option key={label} value={set}>
              {label}
            </option>
          ))}
          <optgroup label="Exactly">
            {knownTypes.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </optgroup>
          {isKnown ? null : <option value={value}>{types.join(", ")}</option>}
        </select>
      </label>
      <SubjectField key={`of ${of ?? ""}`} value={of ?? ""} />
      <UnitField key={`unit ${unit ?? ""}`} value={unit ?? ""} />
      <JumpField />
    </div>
  );
}

function SubjectField({ value }: { readonly value: string }): ReactNode {
  const { store } = useBox();
  const propose = (): Proposals => {
    const { runs, agents } = store.read();
    return [
      ...[...agents.values()].slice(0, proposedMax).map(({ name }) => [name, "agent"] as const),
      ...[...runs.values()].slice(0, proposedMax).map(({ id, title }) => [id, title] as const),
    ];
  };
  return (
    <Draft
      label="Run or agent"
      value={value}
      pattern="[a-zA-Z0-9][a-zA-Z0-9._\-]{0,63}"
      onCommit={(of) => goTo({ of, event: null }, "replace")}
      propose={propose}
    />
  );
}

function UnitField({ value }: { readonly value: string }): ReactNode {
  const { store } = useBox();
  const propose = (): Proposals => {
    const units = new Set(store.read().locks.leases.map(({ unit }) => unit));
    return [...units].slice(0, proposedMax).map((unit) => [unit, ""] as const);
  };
  return (
    <Draft
      label="Unit"
      value={value}
      pattern="(file|dir|process):.*"
      placeholder="file:src/a.ts"
      onCommit={(unit) => goTo({ unit, event: null }, "replace")}
      propose={propose}
    />
  );
}

const proposedMax = 50;
type Proposals = readonly (readonly [string, string])[];

/** A field whose words count when they are whole: on Enter, or when one leaves it. */
function Draft(props: {
  readonly label: string;
  readonly value: string;
  readonly pattern: string;
  readonly placeholder?: string;
  readonly onCommit: (value: string | null) => void;
  /** What could be meant. It is asked for when somebody comes to the field: the page is drawn anew with every event. */
  readonly propose: () => Proposals;
}): ReactNode {
  const { label, value, pattern, placeholder = "Any", onCommit, propose } = props;
  const id = useId();
  const [draft, setDraft] = useState(value);
  const [proposals, setProposals] = useState<Proposals>([]);
  const isWrong = draft !== "" && !new RegExp(`^(?:${pattern})$`).test(draft);
  const commit = (): void => {
    if (draft !== value && !isWrong) onCommit(draft === "" ? null : draft);
  };
  return (
    <label>
      <span>{label}</span>
      <input
        list={id}
        value={draft}
        maxLength={4200}
        placeholder={placeholder}
        spellCheck={false}
        aria-invalid={isWrong}
        onChange={({ target }) => setDraft(target.value)}
        onFocus={() => setProposals(propose())}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setDraft(value);
        }}
      />
      <datalist id={id}>
        {proposals.map(([name, what]) => (
          <option key={name} value={name}>
            {what}
          </option>
        ))}
      </datalist>
    </label>
  );
}

/** Leads to what happened at a time: so long ago, or by the clock. */
function JumpField(): ReactNode {
  const { toasts } = useActs();
  const { ago, at } = useEventAt();
  const [when, setWhen] = useState("");
  const wallMs = readInstant(when);
  const jump = async (found: Promise<number>): Promise<void> => {
    try {
      goTo({ event: await found });
    } catch (error) {
      showRefusal(toasts, "jump to a time", error);
    }
  };
  return (
    <>
      <label className="jump">
        <span>Go to</span>
        <select value="" onChange={({ target }) => void jump(ago(Number(target.value)))}>
          <option value="">a time</option>
          {spansAgo.map(({ label, ms }) => (
            <option key={label} value={ms}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="jump">
        <span>or at</span>
        <input
          // A field of the browser's own would have it in the order of some country, beside times that are all written like this.
          className="jump-at"
          placeholder="YYYY-MM-DD HH:MM:SS"
          title="A day and a time, such as 2026-11-15 14:35 or 14:35:02 alone for today"
          spellCheck={false}
          autoComplete="off"
          maxLength={30}
          value={when}
          aria-invalid={when.trim() !== "" && wallMs === null}
          onChange={({ target }) => setWhen(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && wallMs !== null) void jump(at(wallMs));
          }}
        />
      </label>
      {wallMs === null ? null : <Button onClick={() => void jump(at(wallMs))}>Go there</Button>}
    </>
  );
}
