import type { ReactNode } from "react";
import type { Change } from "../../protocol/wire/change.ts";
import { toBytes } from "../model/format.ts";
import { toVisible } from "../model/visible-text.ts";
import { Icon } from "./icon.tsx";
import "./change-line.css";

const letters = { added: ["A", "added"], changed: ["M", "changed"], deleted: ["D", "deleted"] } as const;

/** One file of a change set: what happened to it, its name, how much, and what a reviewer should know of it. */
export function ChangeLine({
  change,
  isOpen = true,
}: {
  readonly change: Change;
  readonly isOpen?: boolean;
}): ReactNode {
  const [letter, word] = letters[change.status];
  const slash = change.path.lastIndexOf("/") + 1;
  return (
    <span className="change-line" title={change.path}>
      <span className={`change-kind k-${change.status}`} title={word}>
        <span aria-hidden="true">{letter}</span>
        <span className="sr">{word} </span>
      </span>
      <span className="change-name">
        {slash === 0 ? null : <span className="change-folder">{toVisible(change.path.slice(0, slash))}</span>}
        <b>{toVisible(change.path.slice(slash))}</b>
      </span>
      <span className="change-size num">
        <Size change={change} />
      </span>
      <ChangeMarks change={change} isOpen={isOpen} />
    </span>
  );
}

/** Others obey it; two sides met; its lease is gone: each a shape with a word. */
export function ChangeMarks({
  change,
  words = false,
  isOpen = true,
}: {
  readonly change: Change;
  readonly words?: boolean;
  /** Whether it can still land: what has landed needs no lease any more. */
  readonly isOpen?: boolean;
}): ReactNode {
  const text = (word: string): ReactNode => <span className={words ? "" : "sr"}>{word}</span>;
  return (
    <>
      {change.guarded ? (
        <span className="mark a-wait" title="Others execute or obey this file: it is never approved by itself">
          <Icon name="guarded" />
          {text("Guarded")}
        </span>
      ) : null}
      {change.theirs === null ? null : (
        <span className="mark a-stop" title="Somebody else has changed the same place">
          <Icon name="failed" />
          {text("Conflict")}
        </span>
      )}
      {change.keepsOwn && isOpen ? (
        <span className="mark a-wait" title="It keeps its own side whole over somebody's change, which would be gone">
          <Icon name="failed" />
          {text("Over another's change")}
        </span>
      ) : null}
      {change.held || !isOpen ? null : (
        <span className="mark a-wait" title="It has lost its lease: it is claimed again before it can land">
          <Icon name="clock" />
          {text("Lost its lease")}
        </span>
      )}
    </>
  );
}

function Size({ change }: { readonly change: Change }): ReactNode {
  if (change.binary || change.tooLarge) return toBytes(change.bytes.work ?? change.bytes.base ?? 0);
  const added = change.hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  const removed = change.hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  return (
    <>
      {added > 0 ? <ins>+{added}</ins> : null} {removed > 0 ? <del>−{removed}</del> : null}
      {added + removed === 0 ? <span className="dim">{isModeOnly(change) ? "mode" : "empty"}</span> : null}
    </>
  );
}

function isModeOnly({ base, work }: Change): boolean {
  return base !== null && work !== null && base.slice(0, 6) !== work.slice(0, 6);
}
