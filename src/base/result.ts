/** An answer that may be an expected no. A refusal carries a code and what is in the way, and changes nothing. */
export type Result<T, R> = Ok<T> | Refused<R>;

export type Ok<T> = { readonly ok: true; readonly value: T };
export type Refused<R> = { readonly ok: false; readonly refusal: R };

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function refuse<const R>(refusal: R): Refused<R> {
  return { ok: false, refusal };
}
