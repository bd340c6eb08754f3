/** The paths of a scope in a line. The whole project is the folder without a name, and people write it with a dot. */
export function showScope(paths: readonly string[]): string {
  return paths.map((path) => (path === "" ? "." : path)).join(", ");
}
