// Why something is as it is, as the daemon wrote it down. The log says of everybody through which face they acted; a reader
// wants to know who it was.

/** The same without the faces: "paused by person:eva" is paused by eva. */
export function toReason(because: string): string {
  return because.replaceAll(/\bby (?:person|agent):(?=\S)/g, "by ");
}
