// The branch that a run lands on instead of mainline, as a pattern: each run has its own, for a person to push.

const field = /\{(run|task)\}/g;

/** Why a pattern cannot be meant (LD50); undefined when it can. */
export function findBranchFlaw(pattern: string): string | undefined {
  if (!pattern.includes("{run}")) return "each run has a branch of its own: put {run} into it, as in signalbox/{run}";
  const name = fillBranch(pattern, { id: "r_1", task: "t_1" });
  const parts = name.split("/");
  const isBad =
    // What git takes for no name of a branch.
    /[\s~^:?*[\\{}]|\.\.|\p{Cc}/u.test(name) ||
    name.startsWith("-") ||
    name.endsWith(".") ||
    parts.some((part) => part === "" || part.startsWith(".") || part.endsWith(".lock"));
  return isBad ? "that is no name of a branch; take one such as signalbox/{run}" : undefined;
}

export function fillBranch(pattern: string, { id, task }: { readonly id: string; readonly task: string }): string {
  return pattern.replaceAll(field, (_, name: string) => (name === "run" ? id : task));
}
