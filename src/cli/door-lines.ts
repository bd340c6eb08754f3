import type { OutputOf } from "../protocol/operations.ts";

/** The address of a run's door and its token, as they are typed into an assistant's settings. */
export function doorLines({ url, token }: OutputOf<"run.door">): string[] {
  return [`url    ${url}`, `token  ${token}`];
}
