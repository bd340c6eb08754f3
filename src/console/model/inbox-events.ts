// Which events make or answer something in the inbox. What needs a person is read off the daemon's state, so it is asked for again
// whenever one of them has happened.

/** What happens all the time, and never makes or answers anything in it. */
const noise = /^(?:lease|claim|family\.(?!ended)|call|service\.(?:scheduled|skipped|touched|outdated)|terminal)\b/;

export function mayNeedSomebody({ type }: { readonly type: string }): boolean {
  return !noise.test(type);
}
