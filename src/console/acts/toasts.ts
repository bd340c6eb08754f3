// What just happened, for a few seconds, with the way back and the command that does the same.

export type Toast = {
  readonly id: number;
  readonly tone: "go" | "rest" | "stop";
  readonly title: string;
  /** What it is about. What was done to it before says nothing any more, and is not to be taken back on its own. */
  readonly about?: string | undefined;
  readonly detail?: string | undefined;
  readonly command?: string | undefined;
  readonly undo?: (() => void) | undefined;
};

const shownMs = 8000;
const troubleMs = 20_000;
const toastsMax = 4;

export class Toasts {
  #toasts: readonly Toast[] = [];
  #nextId = 1;
  readonly #listeners = new Set<() => void>();

  readonly read = (): readonly Toast[] => this.#toasts;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells of an act. Whoever did it here may want to do it in a script the next time: none goes without its command. */
  did(act: Omit<Toast, "id"> & { readonly command: string }): void {
    this.#show(act);
  }

  /** Says what is no act: why something was not done, or what happened on this page alone. */
  note(note: Omit<Toast, "id" | "command" | "tone"> & { readonly tone: "rest" | "stop" }): void {
    this.#show(note);
  }

  #show(toast: Omit<Toast, "id">): void {
    const id = this.#nextId++;
    const others = this.#toasts.filter(({ about }) => about === undefined || about !== toast.about);
    this.#set([...others, { ...toast, id }].slice(-toastsMax));
    setTimeout(() => this.dismiss(id), toast.tone === "stop" ? troubleMs : shownMs);
  }

  dismiss(id: number): void {
    this.#set(this.#toasts.filter((toast) => toast.id !== id));
  }

  /** Takes back the newest act that can be. */
  undoLast(): void {
    const last = this.#toasts.findLast((toast) => toast.undo !== undefined);
    if (last === undefined) return;
    this.dismiss(last.id);
    last.undo?.();
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener();
  }
}
