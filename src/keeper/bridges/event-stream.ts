// As much of a stream of server-sent events as has to be known to pass it on.

/** Where the last event that is whole ends. */
export function endOfEvents(text: string): number {
  const ends = [...text.matchAll(/\r?\n\r?\n/g)];
  const last = ends.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** Whether one of these events answers a request, as JSON-RPC has it. */
export function hasAnswer(events: string): boolean {
  const told = events.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return told.some((line) => isAnswer(line.slice("data:".length)));
}

function isAnswer(data: string): boolean {
  try {
    const said: unknown = JSON.parse(data);
    return typeof said === "object" && said !== null && "id" in said && ("result" in said || "error" in said);
  } catch {
    return false;
  }
}
