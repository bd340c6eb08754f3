import { memo, type ReactNode, useState } from "react";
import { type DiffRow, differenceOf, toPairs } from "../../model/diff-blocks.ts";
import { toCount } from "../../model/format.ts";
import { cutLine, toVisible } from "../../model/visible-text.ts";

export type DiffMode = "unified" | "split";

const charsMax = 1000;
/** Lines longer than this are not compared letter by letter. */
const compareMax = 400;

/** Lines of a diff with the numbers of both sides; every character is text, and none of it is obeyed. */
export const DiffTable = memo(function DiffTable(props: {
  readonly rows: readonly DiffRow[];
  readonly mode: DiffMode;
}): ReactNode {
  const { rows, mode } = props;
  return (
    <table className={`diff-table ${mode}`}>
      <tbody>{mode === "split" ? toSplit(rows) : toUnified(rows)}</tbody>
    </table>
  );
});

const signs = { "+": ["add", "added"], "-": ["del", "removed"], " ": ["", ""] } as const;

function toUnified(rows: readonly DiffRow[]): ReactNode[] {
  const others = partnersOf(rows);
  return rows.map((row, at) => (
    <tr key={at} className={signs[row.sign][0]}>
      <td className="no">{row.old}</td>
      <td className="no">{row.new}</td>
      <Sign row={row} />
      <Line row={row} other={others.get(row)} />
    </tr>
  ));
}

function toSplit(rows: readonly DiffRow[]): ReactNode[] {
  return toPairs(rows).map(({ left, right }, at) => (
    <tr key={at}>
      <Half row={left} other={right} side="old" />
      <Half row={right} other={left} side="new" />
    </tr>
  ));
}

function Half(props: {
  readonly row: DiffRow | null;
  readonly other: DiffRow | null;
  readonly side: "old" | "new";
}): ReactNode {
  const { row, other, side } = props;
  if (row === null) {
    return (
      <>
        <td className="no none" />
        <td className="sign none" />
        <td className="none" />
      </>
    );
  }
  const look = signs[row.sign][0];
  return (
    <>
      <td className={`no ${look}`}>{row[side]}</td>
      <Sign row={row} />
      <Line row={row} other={row.sign === " " ? undefined : (other?.text ?? undefined)} />
    </>
  );
}

function Sign({ row }: { readonly row: DiffRow }): ReactNode {
  const [look, word] = signs[row.sign];
  return (
    <td className={`sign ${look}`}>
      <span aria-hidden="true">{row.sign === "-" ? "−" : row.sign}</span>
      {word === "" ? null : <span className="sr">{word}</span>}
    </td>
  );
}

function Line({ row, other }: { readonly row: DiffRow; readonly other: string | undefined }): ReactNode {
  const [whole, setWhole] = useState(false);
  const { text, left } = whole ? { text: row.text, left: 0 } : cutLine(row.text, charsMax);
  return (
    <td className={`line ${signs[row.sign][0]}${row.text.length > charsMax ? " cut" : ""}`}>
      <code>{toMarked(text, other)}</code>
      {left === 0 ? null : (
        <button type="button" className="text-button" onClick={() => setWhole(true)}>
          show {toCount(left)} more characters
        </button>
      )}
      {row.noEnd ? <span className="no-end"> no newline at the end</span> : null}
    </td>
  );
}

/** The part that differs from the line beside it stands out. */
function toMarked(text: string, other: string | undefined): ReactNode {
  if (other === undefined || text.length > compareMax || other.length > compareMax) return toVisible(text);
  const difference = differenceOf(text, other);
  if (difference === null) return toVisible(text);
  const end = text.length - difference.end;
  return (
    <>
      {toVisible(text.slice(0, difference.start))}
      {end > difference.start ? <mark>{toVisible(text.slice(difference.start, end))}</mark> : null}
      {toVisible(text.slice(end))}
    </>
  );
}

/** Which line took the place of which, where as many were removed as were added. */
function partnersOf(rows: readonly DiffRow[]): ReadonlyMap<DiffRow, string> {
  const partners = new Map<DiffRow, string>();
  for (const { left, right } of toPairs(rows)) {
    if (left === null || right === null || left === right) continue;
    partners.set(left, right.text);
    partners.set(right, left.text);
  }
  return partners;
}
