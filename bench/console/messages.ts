// What the bench and the process with the crowd say to each other.

export type Asked =
  | { readonly do: "bustle"; readonly eventsPerSecond: number }
  /** So many events as fast as they can be decided, then an answer. */
  | { readonly do: "crowd"; readonly events: number }
  | { readonly do: "touch"; readonly what: "run" | "agent" | "call"; readonly id: string };

export type Told =
  | {
      readonly is: "ready";
      readonly loginUrl: string;
      readonly events: number;
      /** One at work that is left alone, and one that lives. */
      readonly run: string;
      /** Another one at work, with very many calls behind it. */
      readonly longRun: string;
      readonly agent: string;
    }
  | { readonly is: "done"; readonly events: number }
  /** When it was asked of the engine, by the clock that the page has as well. */
  | { readonly is: "touched"; readonly atMs: number; readonly seq: number };
