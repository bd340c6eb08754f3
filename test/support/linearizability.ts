// Decides whether a history of concurrent operations could have come from one copy of a thing that does one operation at
// a time (Wing and Gong's search, remembering what was tried).

export type Operation<Call, Answer> = {
  readonly client: string;
  readonly call: Call;
  readonly answer: Answer;
  /** When it was sent and when its answer came, on one clock. */
  readonly sentAt: number;
  readonly answeredAt: number;
};

export type Model<State, Call, Answer> = {
  readonly start: State;
  /** The state after the operation, or undefined when it cannot give this answer here. */
  readonly apply: (state: State, call: Call, answer: Answer, client: string) => State | undefined;
  readonly name: (state: State) => string;
};

/** An order that explains the history, or undefined when there is none. */
export function findOrder<State, Call, Answer>(
  history: readonly Operation<Call, Answer>[],
  model: Model<State, Call, Answer>,
): readonly Operation<Call, Answer>[] | undefined {
  const operations = history.toSorted((a, b) => a.sentAt - b.sentAt);
  const tried = new Set<string>();
  const taken: boolean[] = operations.map(() => false);
  const order: Operation<Call, Answer>[] = [];

  const search = (state: State): boolean => {
    if (order.length === operations.length) return true;
    const place = `${model.name(state)} ${taken.map((each) => (each ? "1" : "0")).join("")}`;
    if (tried.has(place)) return false;
    tried.add(place);
    // Whoever was answered first of those still open bounds what may come next: later senders have to wait.
    let bound = Number.POSITIVE_INFINITY;
    for (const [at, operation] of operations.entries())
      if (taken[at] !== true) bound = Math.min(bound, operation.answeredAt);
    for (const [at, operation] of operations.entries()) {
      if (taken[at] === true) continue;
      if (operation.sentAt > bound) break;
      const next = model.apply(state, operation.call, operation.answer, operation.client);
      if (next === undefined) continue;
      taken[at] = true;
      order.push(operation);
      if (search(next)) return true;
      order.pop();
      taken[at] = false;
    }
    return false;
  };
  return search(model.start) ? order : undefined;
}
