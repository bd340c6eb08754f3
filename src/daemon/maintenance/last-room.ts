import type { State } from "../../core/state.ts";
import type { Status } from "../../protocol/wire/status.ts";

/** When room was made last because the disk ran low, by the time of day. */
export function lastRoomOf({
  lastRoom,
  wallOffsetMs,
}: Pick<State, "lastRoom" | "wallOffsetMs">): Status["maintenance"]["room"] {
  if (lastRoom === null) return null;
  const { atMs, freedBytes, freeBytes, spares } = lastRoom;
  return { atMs: atMs + wallOffsetMs, freedBytes, freeBytes, spares: spares.map((each) => ({ ...each })) };
}
