// What just happened, for a few seconds, with the way back and the command that does the same. It stays for as long as somebody points
// at it, and the newest act can be taken back by its key for a while after it has gone.

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

/** What keeps them there: each goes by itself. */
type Holder = "hand" | "focus";

const shownMs = 8000;
const troubleMs = 20_000;
const undoableMs = 60_000;
const toastsMax = 4;

export class Toasts {
  #toasts: readonly Toast[] = [];
  #nextId = 1;
  readonly #holders = new Set<Holder>();
  /** What can be taken back, the newest last, shown or not. */
  #undoable: readonly Toast[] = [];
  /** Those whose time was over while somebody pointed at them. */
  readonly #overdue = new Set<number>();
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

  #show(given: Omit<Toast, "id">): void {
    const toast = { ...given, id: this.#nextId++ };
    const isOther = ({ about }: Toast): boolean => about === undefined || about !== toast.about;
    this.#undoable = [...this.#undoable.filter(isOther), ...(toast.undo === undefined ? [] : [toast])];
    this.#set([...this.#toasts.filter(isOther), toast].slice(-toastsMax));
    setTimeout(() => this.#isOver(toast.id), toast.tone === "stop" ? troubleMs : shownMs);
    setTimeout(() => this.#forget(toast.id), undoableMs);
  }

  /** Somebody points at them, or is among them by keys: none goes away under a hand. */
  hold(holder: Holder): void {
    this.#holders.add(holder);
  }

  /** A hand that goes away leaves what the keyboard is in. */
  letGo(holder: Holder): void {
    this.#holders.delete(holder);
    if (this.#holders.size > 0) return;
    for (const id of this.#overdue) this.#remove(id);
    this.#overdue.clear();
  }

  #isOver(id: number): void {
    if (this.#holders.size > 0) this.#overdue.add(id);
    else this.#remove(id);
  }

  #forget(id: number): void {
    this.#undoable = this.#undoable.filter((toast) => toast.id !== id);
  }

  /** The button that was pressed goes with it, and nothing says that nobody is at it any more. */
  dismiss(id: number): void {
    this.#remove(id);
    for (const holder of this.#holders) this.letGo(holder);
  }

  /** Takes back one act, once. */
  undo({ id, undo }: Toast): void {
    this.dismiss(id);
    this.#forget(id);
    undo?.();
  }

  /** Takes back the newest act that can be. */
  undoLast(): void {
    const last = this.#undoable.at(-1);
    if (last !== undefined) this.undo(last);
  }

  #remove(id: number): void {
    this.#set(this.#toasts.filter((toast) => toast.id !== id));
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener();
  }
}
