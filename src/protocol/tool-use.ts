// What an assistant's program calls a use of a tool, where it says so with its request. By that the door's record of a call and
// the program's own are known to be of one thing.

/** Where Claude and Codex put it. */
const keys = ["claudecode/toolUseId", "callId"];
const isName = /^[\w.:-]{1,100}$/;

export function toolUseIn(meta: unknown): string | undefined {
  if (typeof meta !== "object" || meta === null) return undefined;
  const found = keys.map((key) => (meta as Readonly<Record<string, unknown>>)[key]);
  return found.find((name): name is string => typeof name === "string" && isName.test(name));
}
