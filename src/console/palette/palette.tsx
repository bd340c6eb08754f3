import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { copyText } from "../parts/command.tsx";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { usePressOutside } from "../parts/use-press-outside.ts";
import { Key } from "../parts/key.tsx";
import { placeLinks, toPlace } from "../shell/places.ts";
import type { Deed, PaletteItem, Scope } from "./palette-item.ts";
import { toPaletteItems } from "./palette-items.ts";
import { useCatalogue } from "./use-catalogue.ts";
import { useTypedLocks } from "./use-typed-locks.ts";
import "./palette.css";

const foundMax = 20;
const noRuns: readonly Run[] = [];
const places = placeLinks.map(({ to, label, icon }) => ({ to: toPlace(to), label, icon }));

/** Finds everything that has a name and does everything that the thing allows, by keys alone. */
export function Palette(props: {
  /** The run or agent that is selected on the page. */
  readonly selected: Scope | null;
  /** What was typed while it was loaded. */
  readonly early: string;
  readonly onClose: () => void;
  readonly onDo: (deed: Deed) => void;
  readonly onCopied: (command: string, worked: boolean) => void;
}): ReactNode {
  const { selected, early, onClose, onDo, onCopied } = props;
  const [written, setTyped] = useState<string | null>(null);
  // Keys go to its field once it is open; what was typed before that, also after it was first drawn, is not lost.
  const typed = written ?? early;
  const [scope, setScope] = useState<Scope | null>(null);
  const [at, setAt] = useState(0);
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const items = useItems({ typed, scope, selected });
  const chosen = Math.min(at, items.length - 1);
  const item = items[chosen];
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [list, chosen]);
  const outside = usePressOutside(dialog, onClose);
  const look = (next: Scope | null): void => {
    setScope(next);
    setTyped("");
    setAt(0);
  };
  const choose = (meant: PaletteItem | undefined): void => {
    if (meant === undefined) return;
    onClose();
    onDo(meant.deed);
  };
  const press = (event: KeyboardEvent): void => {
    const act = actOf(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const actOf = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): (() => void) | undefined => {
    const isMod = ctrlKey || metaKey;
    if (key === "ArrowDown" || (ctrlKey && key === "n")) return () => setAt((chosen + 1) % Math.max(1, items.length));
    if (key === "ArrowUp" || (ctrlKey && key === "p"))
      return () => setAt((chosen - 1 + items.length) % Math.max(1, items.length));
    if (key === "Enter" && isMod) return () => void copyCommand(item?.command, onCopied);
    if (key === "Enter") return () => choose(item);
    if (key === "Tab" && !shiftKey) return () => item?.scope !== undefined && look(item.scope);
    if (scope !== null && ((key === "Backspace" && typed === "") || key === "Escape")) return () => look(null);
    return isMod && key.toLowerCase() === "k" ? onClose : undefined;
  };
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Find and do"
      onClose={onClose}
      {...outside}
      onKeyDown={press}
    >
      <div className="palette-head">
        <Icon name="search" />
        {scope === null ? null : <span className="tag">{nameOf(scope)}</span>}
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={item === undefined ? undefined : `${list}-${chosen}`}
          aria-label={
            scope === null
              ? "Find a run, agent, project, unit, event, place or act"
              : `What to do with ${nameOf(scope)}`
          }
          placeholder={scope === null ? "Find anything, or say what to do" : "What to do"}
          value={typed}
          maxLength={200}
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
        />
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <div className="palette-list" id={list} role="listbox" aria-label="Found" tabIndex={-1}>
        {items.map((each, row) => (
          <Row
            key={each.id}
            id={`${list}-${row}`}
            item={each}
            isChosen={row === chosen}
            onChoose={() => choose(each)}
          />
        ))}
      </div>
      {items.length === 0 ? <p className="palette-none">Nothing is called like that.</p> : null}
      <footer className="palette-foot">
        <code>{item?.command ?? ""}</code>
        <span>
          <Key>↵</Key> goes or does it
        </span>
        {item?.command === undefined ? null : (
          <span>
            <Key>Ctrl ↵</Key> copies the command
          </span>
        )}
        {item?.scope === undefined ? null : (
          <span>
            <Key>Tab</Key> what can be done
          </span>
        )}
      </footer>
    </dialog>
  );
}

function useItems(props: {
  readonly typed: string;
  readonly scope: Scope | null;
  readonly selected: Scope | null;
}): readonly PaletteItem[] {
  const { typed, scope, selected } = props;
  const live = useLive((each) => each);
  const sought = scope === null && typed.trim().length > 1 ? typed.trim() : "";
  // Runs that no list has any more are found by the daemon.
  const { value } = useAsked({
    subject: `palette ${sought}`,
    stamp: 0,
    ask: async (client, signal) =>
      sought === "" ? noRuns : (await client.call("run.list", { find: sought, limit: foundMax }, { signal })).runs,
  });
  const found = value ?? noRuns;
  const locks = useTypedLocks(sought);
  const state = useMemo(() => ({ ...live, locks }), [live, locks]);
  const catalogue = useCatalogue();
  return useMemo(() => {
    const world = { state, places, found, catalogue };
    const own = scope === null && selected !== null ? toPaletteItems({ ...world, scope: selected }, typed) : [];
    const all = toPaletteItems({ ...world, scope }, typed);
    const acts = own.filter(({ kind }) => kind === "Act");
    const first = new Set(acts.map(({ title }) => title));
    return [...acts, ...all.filter(({ title }) => !first.has(title))];
  }, [state, found, catalogue, scope, selected, typed]);
}

function Row(props: {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const { id, item, isChosen, onChoose } = props;
  return (
    // The keys are listened to where one types: a row is never focused itself.
    <div id={id} role="option" aria-selected={isChosen} className="palette-row" data-item={item.id} onClick={onChoose}>
      <Icon name={item.icon} />
      <span className="palette-title">{item.title}</span>
      <span className="palette-detail">{item.detail}</span>
      <span className="palette-kind">{item.kind}</span>
      {item.key === undefined ? <span /> : <Key>{item.key}</Key>}
    </div>
  );
}

function nameOf(scope: Scope): string {
  return "run" in scope ? scope.run : scope.agent;
}

async function copyCommand(
  command: string | undefined,
  onCopied: (command: string, worked: boolean) => void,
): Promise<void> {
  if (command !== undefined) onCopied(command, await copyText(command));
}
