/** These take no messages while they work. */
const deaf = ["script", "command"];

/** Whether the runner is told what people say to its run while it works. */
export function takesMessages(runner: string): boolean {
  return !deaf.includes(runner);
}
