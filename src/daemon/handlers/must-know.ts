import { protocolError } from "../../protocol/errors.ts";

/** Names of what this daemon has are checked when they are given: a mistyped one would wait or rule for ever in vain. */
export function mustKnow(kind: "runner" | "node" | "tool" | "profile", name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw protocolError("not-found", {
      kind,
      id: name,
      hint: `; there is ${known.length === 0 ? "none" : known.join(", ")}`,
    });
}
