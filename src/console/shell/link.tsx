import type { MouseEvent, ReactNode } from "react";
import { type Address, goTo, hasSheet, toHref, useAddress } from "./address.ts";

/** A link inside the console: an ordinary click stays on the page, all others do what the browser does. */
export function Link(props: {
  readonly to: Partial<Address>;
  readonly className?: string;
  readonly children: ReactNode;
  readonly current?: boolean | "page";
  readonly label?: string;
  /** Left out when one goes through the page with Tab: the same is to be had elsewhere. */
  readonly aside?: boolean;
  /** Of a link in a dialog, which is not to stand before the page that was gone to. */
  readonly onGo?: () => void;
}): ReactNode {
  const { to, className, children, current, label, aside = false, onGo } = props;
  const address = useAddress();
  return (
    <a
      href={toHref({ ...address, ...to })}
      className={className}
      aria-current={current}
      aria-label={label}
      tabIndex={aside ? -1 : undefined}
      onClick={(event) => {
        if (isPlainClick(event)) {
          event.preventDefault();
          onGo?.();
          goTo(to);
        }
      }}
    >
      {children}
    </a>
  );
}

/** An id that opens its run: beside the page, or its own page where nothing can be opened beside. Others are only a name. */
export function RunLink({ id, aside = false }: { readonly id: string; readonly aside?: boolean }): ReactNode {
  const { place } = useAddress();
  if (!/^r_[0-9a-z]+$/.test(id)) return <span className="rid outside">{id}</span>;
  return (
    <Link to={hasSheet(place) ? { run: id } : toRunPage(id)} className="rid" aside={aside}>
      {id}
    </Link>
  );
}

/** The page of a run, from its beginning: nothing of another run's page is taken along. */
export function toRunPage(id: string): Partial<Address> {
  return { place: "run", id, step: null, file: null, kind: null, terminal: null, look: null, recording: null };
}

/** The form that begins a run. */
export const newRunPage: Partial<Address> = { place: "new-run", id: "new" };

export function toAgentPage(id: string): Partial<Address> {
  return { place: "agent", id, service: null, said: "", recording: null };
}

/** The overview as it was after an event. */
export function toWorldAt(seq: number): Partial<Address> {
  return { place: "overview", at: seq, tone: null, find: "", run: null };
}

export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
