import { type ComponentType, memo, type ReactNode, useEffect, useRef } from "react";
import { type Bindings, tableKeys, useKeys } from "../shell/keys.ts";
import { useIsDense } from "../shell/theme.ts";
import { useIsNarrow } from "./use-is-narrow.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";
import "./virtual-table.css";

const pageRows = 15;
const nearEndRows = 50;
const denseShare = 0.8;

/** The cells of a row: spans with the role of a cell. */
export type Cells<Row> = ComponentType<{ readonly row: Row; readonly isSelected: boolean }>;

type Shape<Row> = {
  /** Class of a row, which has its columns. */
  readonly look: string;
  readonly cells: Cells<Row>;
  readonly idOf: (row: Row) => string;
  /** What a row says of itself beside its id, such as `data-state`. */
  readonly dataOf?: (row: Row) => Readonly<Record<`data-${string}` | `aria-${string}`, string | number>>;
};

export type VirtualTableProps<Row> = Shape<Row> & {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly rowPx: { readonly wide: number; readonly narrow: number };
  /** How many there are, where not all were read. */
  readonly total?: number;
  /** Called when the end of what there is comes into sight. */
  readonly onEnd?: () => void;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  /** What keys do beside moving, with the selected row if there is one. */
  readonly keysOf?: (row: Row | undefined, go: (to: number) => void) => Bindings;
};

/** A table of any length: only the rows in sight are there, and J and K go through all of them. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactNode {
  const { label, columns, rows, rowPx, total = rows.length, onEnd, selected, onSelect, keysOf } = props;
  const { look, cells, idOf, dataOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const usual = useIsNarrow() ? rowPx.narrow : rowPx.wide;
  const height = useIsDense() ? Math.round(usual * denseShare) : usual;
  const { from, to, scrollTo } = useVirtualRows(box, rows.length, height);
  useEffect(() => {
    if (to >= rows.length - nearEndRows) onEnd?.();
  }, [to, rows.length, onEnd]);
  const go = (wanted: number): void => {
    const at = Math.max(0, Math.min(rows.length - 1, wanted));
    const row = rows[at];
    if (row === undefined) return;
    onSelect(idOf(row));
    scrollTo(at);
  };
  useKeys(() => {
    const at = rows.findIndex((row) => idOf(row) === selected);
    return { ...tableKeys(rows.length, at, pageRows, go), ...keysOf?.(rows[at], go) };
  });
  return (
    <div ref={box} className="table-scroll" tabIndex={0} role="table" aria-label={label} aria-rowcount={total + 1}>
      <div className={`table-row ${look} th`} role="row" aria-rowindex={1}>
        {columns.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="table-space" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        {rows.slice(from, to).map((row, at) => {
          const id = idOf(row);
          return (
            <VirtualRow
              key={id}
              id={id}
              row={row}
              index={from + at}
              topPx={(from + at) * height}
              heightPx={height}
              isSelected={selected === id}
              onSelect={onSelect}
              {...{ look, cells, dataOf }}
            />
          );
        })}
      </div>
    </div>
  );
}

type RowProps<Row> = Omit<Shape<Row>, "idOf" | "dataOf"> & {
  readonly dataOf: Shape<Row>["dataOf"];
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly topPx: number;
  readonly heightPx: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
};

const VirtualRow = memo(function VirtualRow<Row>(props: RowProps<Row>): ReactNode {
  const { id, row, index, topPx, heightPx, isSelected, onSelect, look, cells: Cells, dataOf } = props;
  return (
    <div
      className={`table-row ${look}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={id}
      {...dataOf?.(row)}
      style={{ top: `${topPx}px`, height: `${heightPx}px` }}
      onClick={() => onSelect(id)}
    >
      <Cells row={row} isSelected={isSelected} />
    </div>
  );
}) as <Row>(props: RowProps<Row> & { readonly key: string }) => ReactNode;
