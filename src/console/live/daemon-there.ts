/** Whether the daemon answers at all, whatever it says. */
export function isDaemonThere(): Promise<boolean> {
  return fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
