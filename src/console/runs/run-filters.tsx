import { type ReactNode, useId, useMemo } from "react";
import { type Run, type RunState, runStates } from "../../protocol/wire/run.ts";
import { signals, type Tone } from "../model/signals.ts";
import { goTo, useAddress } from "../shell/address.ts";

const sets: readonly (readonly [string, (state: RunState) => boolean])[] = [
  ["Active", (state) => !signals[state].over],
  ["Need you", byTone("you")],
  ["Waiting", byTone("wait")],
  ["Moving", byTone("go")],
  ["Over", (state) => signals[state].over],
];

/** Narrows the list by state, runner and tag; project and search stand above the page. */
export function RunFilters({ rows, end }: { readonly rows: readonly Run[]; readonly end?: ReactNode }): ReactNode {
  const { states, runner, tag } = useAddress();
  const id = useId();
  const runners = useMemo(
    () =>
      namesOf(
        rows.map((run) => run.runner),
        runner,
      ),
    [rows, runner],
  );
  const tags = useMemo(
    () =>
      namesOf(
        rows.slice(0, 1000).flatMap((run) => run.tags),
        tag,
      ),
    [rows, tag],
  );
  const value = states.join(",");
  const known = sets.map(([word, isIn]) => [word, runStates.filter(isIn).join(",")] as const);
  const isKnown = value === "" || known.some(([, set]) => set === value) || states.length === 1;
  return (
    <div className="run-filters" role="group" aria-label="Filters">
      <label>
        <span>State</span>
        <select
          value={value}
          onChange={({ target }) =>
            goTo({ states: runStates.filter((state) => target.value.split(",").includes(state)) }, "replace")
          }
        >
          <option value="">Any</option>
          {known.map(([word, set]) => (
            <option key={word} value={set}>
              {word}
            </option>
          ))}
          <optgroup label="Exactly">
            {runStates.map((state) => (
              <option key={state} value={state}>
                {signals[state].word}
              </option>
            ))}
          </optgroup>
          {isKnown ? null : <option value={value}>{states.map((state) => signals[state].word).join(", ")}</option>}
        </select>
      </label>
      <label>
        <span>Runner</span>
        <select
          value={runner ?? ""}
          onChange={({ target }) => goTo({ runner: target.value === "" ? null : target.value }, "replace")}
        >
          <option value="">Any</option>
          {runners.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Tag</span>
        <input
          list={id}
          value={tag ?? ""}
          maxLength={64}
          placeholder="Any"
          spellCheck={false}
          onChange={({ target }) => goTo({ tag: target.value === "" ? null : target.value }, "replace")}
        />
        <datalist id={id}>
          {tags.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      {end === undefined ? null : <span className="end">{end}</span>}
    </div>
  );
}

function byTone(tone: Tone): (state: RunState) => boolean {
  return (state) => signals[state].tone === tone;
}

function namesOf(names: readonly string[], chosen: string | null): string[] {
  return [...new Set([...names, ...(chosen === null ? [] : [chosen])])].toSorted().slice(0, 200);
}
