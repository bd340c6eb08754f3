import type { ReactNode } from "react";
import "./skeleton.css";

/** The shape of what comes, while it comes. */
export function Skeleton(): ReactNode {
  return (
    <div className="board skeleton" role="status" aria-busy="true" aria-label="Loading">
      <div className="gantry">
        {[1, 2, 3, 4, 5].map((tile) => (
          <div key={tile} className="tile">
            <i className="bone wide" />
            <i className="bone" />
          </div>
        ))}
      </div>
      <div className="board-left">
        <Bones rows={6} />
      </div>
      <div className="board-right">
        <Bones rows={10} />
      </div>
    </div>
  );
}

function Bones({ rows }: { readonly rows: number }): ReactNode {
  return (
    <div className="panel bones">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="bone-row">
          <i className="bone dot" />
          <i className={`bone w-${row % 4}`} />
          <i className="bone end" />
        </div>
      ))}
    </div>
  );
}
