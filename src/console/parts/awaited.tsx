import type { ReactNode } from "react";
import { Bones } from "./bones.tsx";

/** In the place of what was asked for and is not there yet: its shape while it is on its way, the reason where it does not come. */
export function Awaited(props: {
  /** What is being done, such as "Reading the log". */
  readonly what: string;
  readonly trouble?: string | null;
  readonly again?: (() => void) | undefined;
  readonly rows?: number;
}): ReactNode {
  const { what, trouble = null, again, rows = 3 } = props;
  if (trouble === null) return <Bones what={`${what} …`} rows={rows} />;
  return (
    <div className="quiet" role="alert">
      <b>{trouble}</b>
      {again === undefined ? null : (
        <p>
          <button type="button" className="text-button" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
