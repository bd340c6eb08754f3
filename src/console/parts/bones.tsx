import type { ReactNode } from "react";
import "./bones.css";

/** The shape of rows, while they come. */
export function Bones({ what, rows }: { readonly what: string; readonly rows: number }): ReactNode {
  return (
    <div className="bones" role="status" aria-busy="true">
      <span className="sr">{what}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="bone-row" aria-hidden="true">
          <i className="bone dot" />
          <i className={`bone w-${row % 4}`} />
          <i className="bone end" />
        </div>
      ))}
    </div>
  );
}
