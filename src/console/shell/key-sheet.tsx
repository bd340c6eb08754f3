import { type ReactNode, useSyncExternalStore } from "react";
import { signals } from "../model/signals.ts";
import { Icon } from "../parts/icon.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useAddress } from "./address.ts";
import { groupsAt, type KeyGroup, keyGroups, unnamedKeys } from "./key-groups.ts";
import { keysNow, useKeys, useLetters } from "./keys.ts";
import { toggleTheme } from "./theme.ts";
import "./key-sheet.css";

/** While it is open, which keys did something when it was opened. */
let keysThen: ReadonlySet<string> | null = null;
const listeners = new Set<() => void>();

export function openKeySheet(): void {
  show(keysNow());
}

/** Every key, those of this page first, and the switch that turns the letters off. */
export function KeySheet(): ReactNode {
  const keys = useSyncExternalStore(subscribe, () => keysThen);
  const { place } = useAddress();
  useKeys({ "?": openKeySheet, D: toggleTheme });
  if (keys === null) return null;
  const here = groupsAt(place);
  const unnamed = unnamedKeys(place, keys);
  return (
    <Dialog title="Keys and signals" wide onClose={() => show(null)}>
      <div className="key-sheet">
        {here.map((group) => (
          <KeyList key={group.title} group={group} isHere />
        ))}
        {unnamed.length === 0 ? null : (
          <KeyList
            group={{ title: "Here, too", places: "all", rows: [{ key: unnamed.join(" "), label: "" }] }}
            isHere
          />
        )}
        {keyGroups
          .filter((group) => !here.includes(group))
          .map((group) => (
            <KeyList key={group.title} group={group} />
          ))}
      </div>
      <section className="signal-list">
        <h3>What the signals mean</h3>
        <dl>
          {Object.values(signals).map(({ word, means, icon, tone }) => (
            <div key={word}>
              <dt className={`a-${tone}`}>
                <Icon name={icon} /> {word}
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </section>
      <LetterSwitch />
    </Dialog>
  );
}

function KeyList({ group, isHere = false }: { readonly group: KeyGroup; readonly isHere?: boolean }): ReactNode {
  return (
    <section data-keys={group.title} data-here={isHere}>
      <h3>{group.title}</h3>
      <dl>
        {group.rows.map(({ key, label }) => (
          <div key={`${key} ${label}`}>
            <dt>
              {key
                .split(" ")
                .map((each) => (each === "–" ? " – " : <kbd key={each}>{each.replace("Shift+", "⇧")}</kbd>))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function LetterSwitch(): ReactNode {
  const [on, setOn] = useLetters();
  return (
    <label className="key-switch">
      <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} />
      <span>
        Single letters act. Switch this off if you speak to your computer, or if keys are pressed by accident.
      </span>
    </label>
  );
}

function show(next: ReadonlySet<string> | null): void {
  keysThen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
