import { type ReactNode, useId } from "react";

export function Panel(props: {
  readonly title: string;
  readonly name: string;
  readonly meta?: ReactNode;
  readonly count?: number | undefined;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { title, name, meta, count, end, children } = props;
  const id = useId();
  return (
    <section className={`panel p-${name}`} aria-labelledby={id} data-panel={name}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        {count === undefined || count === 0 ? null : <span className="count">{count}</span>}
        {meta === undefined ? null : <span className="meta">{meta}</span>}
        {end === undefined ? null : <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  );
}

/** A panel with nothing in it says what would be there, or what to do next. */
export function Quiet({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="quiet">
      <b>{title}</b>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  );
}
