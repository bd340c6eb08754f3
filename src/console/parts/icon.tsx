import type { ReactNode } from "react";
import { type IconName, iconShapes } from "./icon-shapes.tsx";
import "./icon.css";

/** Never alone: a word beside it, or a label on what it sits in, says the same. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
      {iconShapes[name]}
    </svg>
  );
}
