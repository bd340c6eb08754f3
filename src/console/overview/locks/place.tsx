import type { ReactNode } from "react";
import type { QueueEntry } from "../../../protocol/wire/claim.ts";
import { useLive } from "../../live/live-context.tsx";
import { toOrdinal } from "../../model/format.ts";
import { placeFor } from "../../model/queues.ts";

type PlaceOf = {
  readonly entry: QueueEntry;
  /** What it is about; without one, the first that it wants. */ readonly unit?: string | undefined;
};

/** Which one in the row of those who want a unit a claim is, the same wherever it is said. In the queue of its project it may be further back. */
export function usePlace({ entry, unit = entry.units[0] }: PlaceOf): {
  readonly place: number;
  readonly title: string;
} {
  const place = useLive(({ locks }) => (unit === undefined ? entry.position : placeFor(locks, entry, unit)));
  const passed = entry.passes === 0 ? "" : `; passed ${entry.passes} times by more urgent claims`;
  const first = unit === undefined ? "" : `${toOrdinal(place)} for ${unit}, `;
  return { place, title: `${first}${toOrdinal(entry.position)} in the queue of its project${passed}` };
}

export function Place(props: PlaceOf): ReactNode {
  const { place, title } = usePlace(props);
  return (
    <em className="place" title={title}>
      {toOrdinal(place)}
    </em>
  );
}
