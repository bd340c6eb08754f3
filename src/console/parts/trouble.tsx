import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** Above what was read before: why it may be old. */
export function Trouble(props: { readonly trouble: string | null; readonly again: () => void }): ReactNode {
  const { trouble, again } = props;
  if (trouble === null) return null;
  return (
    <div className="more-row" role="alert">
      <span className="a-stop">{trouble}</span>
      <Button size="small" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
