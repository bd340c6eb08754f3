/** Who acted, without the kind of actor: `person:eva` is eva. */
export function toWho(actor: string): string {
  return actor.replace(/^(person|agent):/, "");
}
