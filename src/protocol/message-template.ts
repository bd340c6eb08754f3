// What the commit of a landing says, as a template with named fields. A line whose fields are all empty is left out, so that
// nobody needs two templates; and the trailer by which a line of code is traced to its run is always there.

export const messageFields = ["title", "description", "run", "task", "runner", "approver", "project"] as const;

export type MessageField = (typeof messageFields)[number];

export const defaultMessage = [
  ...["{title}", "", "{description}", ""],
  ...["Signalbox-Run: {run}", "Signalbox-Task: {task}", "Signalbox-Runner: {runner}", "Approved-by: {approver}"],
].join("\n");

const field = /\{([a-z]+)\}/g;
const trailer = /^[A-Za-z0-9-]+: /;
/** Fields that may have nothing to say. */
const maybeEmpty: ReadonlySet<string> = new Set(["description", "approver"]);

/** Why a template cannot be meant (LD49); undefined when it can. */
export function findMessageFlaw(template: string): string | undefined {
  const unknown = [...template.matchAll(field)].find(([, name]) => !isField(name));
  if (unknown !== undefined)
    return `there is no field ${unknown[0]}; there are: ${messageFields.map((name) => `{${name}}`).join(", ")}`;
  const [first = ""] = template.split("\n");
  const said = first.replaceAll(field, (_, name: string) => (maybeEmpty.has(name) ? "" : "x"));
  return said.trim() === "" ? "its first line may be empty: begin with words, or a field such as {title}" : undefined;
}

/** The message. The title is one line, whatever was written. */
export function fillMessage(template: string, values: Readonly<Record<MessageField, string>>): string {
  const title = values.title.replaceAll(/\s+/g, " ").trim();
  // A line of a description that looks like one of our trailers would say that another run, or somebody, did this.
  const description = values.description.trim().replaceAll(/^(?=Signalbox-|Approved-by:)/gim, " ");
  const one = { ...values, title, description };
  const lines: string[] = [];
  for (const line of template.trimEnd().split("\n")) {
    const names = [...line.matchAll(field)].map(([, name]) => name).filter(isField);
    if (names.length > 0 && names.every((name) => one[name] === "")) continue;
    // What was left out leaves no gap.
    if (line.trim() === "" && lines.at(-1) === "") continue;
    lines.push(
      line.trim() === "" ? "" : line.replaceAll(field, (whole, name: string) => (isField(name) ? one[name] : whole)),
    );
  }
  const own = `Signalbox-Run: ${values.run}`;
  while (lines.at(-1) === "") lines.pop();
  if (!lines.includes(own)) lines.push(...(lines.length > 1 && trailer.test(lines.at(-1) ?? "") ? [] : [""]), own);
  return `${lines.join("\n")}\n`;
}

function isField(name: string | undefined): name is MessageField {
  return (messageFields as readonly (string | undefined)[]).includes(name);
}
