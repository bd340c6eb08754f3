import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { fitSizes, moveBorder, type Panes } from "../model/panes.ts";

const keyStep = 0.05;

/** Panes with borders between them that can be moved, by mouse and by arrow keys. */
export function PaneGrid(props: {
  readonly panes: Panes;
  readonly focused: number;
  readonly onFocus: (at: number) => void;
  /** What a pane stays by, also when it shows what stands in for another. */
  readonly slotOf: (key: string) => string;
  readonly children: (key: string, at: number) => ReactNode;
}): ReactNode {
  const { panes, focused, onFocus, slotOf, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [kept, setSizes] = useState<readonly number[]>([]);
  const sizes = fitSizes(kept, panes.keys.length);
  const isSide = panes.way === "side";
  const drag = (at: number, event: PointerEvent<HTMLDivElement>): void => {
    const rect = box.current?.getBoundingClientRect();
    if (rect === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const share = isSide ? (event.clientX - rect.left) / rect.width : (event.clientY - rect.top) / rect.height;
    const now = sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0);
    setSizes(moveBorder(sizes, at, share - now));
  };
  const press = (at: number, event: KeyboardEvent): void => {
    const by = { ArrowRight: keyStep, ArrowDown: keyStep, ArrowLeft: -keyStep, ArrowUp: -keyStep }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setSizes(moveBorder(sizes, at, by));
  };
  return (
    <div ref={box} className={`pane-grid ${panes.way}`} data-panes={panes.keys.length}>
      {panes.keys.map((key, at) => (
        <PaneSlot key={slotOf(key)} size={sizes[at] ?? 1}>
          {at === 0 ? null : (
            <div
              className="pane-border"
              role="separator"
              tabIndex={0}
              aria-orientation={isSide ? "vertical" : "horizontal"}
              aria-label={`Border before pane ${at + 1}; arrow keys move it`}
              aria-valuenow={Math.round((sizes[at - 1] ?? 0) * 100)}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={(event) => drag(at - 1, event)}
              onKeyDown={(event) => press(at - 1, event)}
            />
          )}
          <section
            className={at === focused && panes.keys.length > 1 ? "pane focused" : "pane"}
            data-pane={key}
            onFocus={() => onFocus(at)}
            onPointerDown={() => onFocus(at)}
          >
            {children(key, at)}
          </section>
        </PaneSlot>
      ))}
    </div>
  );
}

function PaneSlot({ size, children }: { readonly size: number; readonly children: ReactNode }): ReactNode {
  return (
    <div className="pane-slot" style={{ flexGrow: size }}>
      {children}
    </div>
  );
}
