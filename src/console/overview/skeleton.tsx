import type { ReactNode } from "react";
import { Bones } from "../parts/bones.tsx";
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
        <div className="panel">
          <Bones what="Needs and events" rows={6} />
        </div>
      </div>
      <div className="board-right">
        <div className="panel">
          <Bones what="Tracks" rows={10} />
        </div>
      </div>
    </div>
  );
}
