// The host name of a face: `<agent>-<face>.localhost`. A face's name has no dash, so the last dash of a label is where it
// begins: `a-b-c` is the face `c` of the agent `a-b`, and can be nothing else.

export const faceNameCharsMax = 16;
/** Leaves room for the dash and the longest face in one label, which has 63 characters at most. */
const agentCharsMax = 63 - 1 - faceNameCharsMax;

export const faceNamePattern = /^[a-z][a-z0-9]*$/;
export const faceNameRule = `a face has a name of lower case letters and digits, without dashes, that begins with a letter and is at most ${faceNameCharsMax} characters long`;
const agentPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
export const faceAgentRule = `an agent with faces has a name of lower case letters, digits and dashes, at most ${agentCharsMax} characters long, that begins and ends with no dash and does not begin with xn--: it is part of their host names`;

export type FacePlace = { readonly agent: string; readonly face: string };

export function isFaceName(text: string): boolean {
  return text.length <= faceNameCharsMax && faceNamePattern.test(text);
}

/** Whether it can stand in a host name. Names that begin with `xn--` are taken for letters of other alphabets. */
export function fitsFaceHost(agent: string): boolean {
  return agent.length <= agentCharsMax && agentPattern.test(agent) && !agent.startsWith("xn--");
}

export function toFaceLabel({ agent, face }: FacePlace): string {
  return `${agent}-${face}`;
}

/** Undefined where no face could be called so. */
export function parseFaceLabel(label: string): FacePlace | undefined {
  const dash = label.lastIndexOf("-");
  const place = { agent: label.slice(0, Math.max(dash, 0)), face: label.slice(dash + 1) };
  return fitsFaceHost(place.agent) && isFaceName(place.face) ? place : undefined;
}

/** Where a face is on a machine whose daemon has this port. */
export function toFaceOrigin(place: FacePlace, port: number): string {
  return `http://${toFaceLabel(place)}.localhost:${port}`;
}

/** The label of a Host header that could be a face's. Undefined for everything else, above all the console's own names. */
export function faceLabelOf(host: string, port: number): string | undefined {
  const [, label, at] = /^([a-z0-9-]{1,63})\.localhost:(\d{1,5})$/.exec(host.toLowerCase()) ?? [];
  return at === String(port) ? label : undefined;
}

/** What opens a face for whoever calls it from a cage. It is said to us alone, and no service sees it. */
export const faceKeyHeader = "signalbox-face-key";
