// A request to a model with its answer, as it is kept: made readable.

export type ExchangeSide = { readonly body: string; readonly isCut: boolean };

export type Exchange = {
  readonly asked: ExchangeSide & { readonly method: string; readonly target: string };
  readonly answered: ExchangeSide & { readonly status: number | null };
};

/** Of its bytes, in pieces. */
export function readExchange(pieces: readonly Uint8Array[]): Exchange {
  const decoder = new TextDecoder();
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
  const { asked, answered } = JSON.parse(text) as Exchange;
  return {
    asked: { ...asked, body: laidOut(asked.body) },
    answered: { ...answered, body: laidOut(answered.body) },
  };
}

/** JSON over several lines; a stream of events, and whatever else is no JSON, as it came. */
function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
