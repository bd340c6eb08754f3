// What the log keeps of what a service or a hook said before it ended. It is read for what went wrong, by people and by the ladder,
// and it is in the state of each service: so it is short.

const charsMax = 1000;
const frame = /^[ \t]+at \S/;

/** The end of an output in whole lines, where that can be. Of each stack trace only the first frame: what was wrong stands above it. */
export function lastSaid(tail: string): string {
  const folded = foldFrames(tail);
  if (folded.length <= charsMax) return folded;
  const cut = folded.slice(-charsMax);
  const firstWhole = cut.indexOf("\n") + 1;
  return firstWhole < cut.length ? cut.slice(firstWhole) : cut;
}

function foldFrames(text: string): string {
  const kept: string[] = [];
  let frames = 0;
  const sayFolded = (): void => {
    if (frames > 1) kept.push(`    … ${frames - 1} more`);
    frames = 0;
  };
  for (const line of text.split("\n")) {
    const isFrame = frame.test(line);
    if (isFrame) frames += 1;
    else sayFolded();
    if (!isFrame || frames === 1) kept.push(line);
  }
  sayFolded();
  return kept.join("\n");
}
