/** Sees to it that no two daemons of one machine work on the same project. It vanishes with its process, however that ends. */
export interface ProjectLock {
  /** Takes the project at this folder. Throws a Fault with code `project-in-use` that names who has it. */
  take(root: string): Promise<void>;
  /** Gives it back; does nothing when it was not taken. */
  giveBack(root: string): Promise<void>;
  close(): Promise<void>;
}
