import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { isBegun, noWork, type ReviewWork } from "../../model/review-work.ts";

/** By run, for as long as the browser has the page: a reviewer looks at a step, a terminal or another run, and comes back. */
const begun = new Map<string, ReviewWork>();

/** Nothing is kept of what has no run, such as one step's doing. */
export function useReviewWork(run: string | null): readonly [ReviewWork, Dispatch<SetStateAction<ReviewWork>>] {
  const [work, setWork] = useState(() => (run === null ? noWork : (begun.get(run) ?? noWork)));
  useEffect(() => {
    if (run === null) return;
    if (isBegun(work)) begun.set(run, work);
    else begun.delete(run);
  }, [run, work]);
  return [work, setWork];
}
