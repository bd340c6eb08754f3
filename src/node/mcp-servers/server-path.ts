// Where a run finds the servers of tools that are asked for it.

const path = /^\/servers\/([a-z][a-z0-9-]{0,30})$/;

export function serverPathOf(name: string): string {
  return `/servers/${name}`;
}

/** The server that a request means; undefined where it means none. */
export function serverIn(target: string): string | undefined {
  return path.exec(target)?.[1];
}
