import type { ProjectSource } from "../core/project/project.ts";
import type { Mainline } from "./mainline.ts";

/** The histories of all projects of this daemon, each in a repository of its own. */
export interface Mainlines {
  /** Looks at a folder and takes its history in. Throws a Fault that says what is in the way. */
  adopt(root: string, branch?: string): Promise<{ readonly source: ProjectSource; readonly commit: string }>;
  of(project: { readonly root: string; readonly source: ProjectSource }): Promise<Mainline>;
  close(): Promise<void>;
}
