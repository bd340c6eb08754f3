// The few pictures that the documents show, and what each is called there.

import fs from "node:fs";
import path from "node:path";

/** Name in the documents, and the picture that it is. */
const chosen: Readonly<Record<string, string>> = {
  "console-empty": "empty-desktop-dark",
  "console-desktop-dark": "overview-desktop-dark",
  "console-desktop-light": "overview-desktop-light",
  "console-phone-dark": "overview-phone-dark",
  "console-phone-light": "overview-phone-light",
  "console-inbox": "inbox-desktop-light",
  "console-agent": "agent-desktop-dark",
  "console-locks": "locks-desktop-dark",
  "console-run": "overview-sheet-desktop-light",
  "console-runs": "runs-desktop-dark",
  "console-landing": "landing-desktop-light",
  "console-settings": "settings-policies-desktop-light",
  "console-template": "settings-templates-desktop-dark",
  "console-palette": "palette-desktop-dark",
  "console-events": "events-desktop-light",
  "console-past": "past-desktop-dark",
  "console-review": "run-review-desktop-dark",
  "console-review-split": "run-split-desktop-light",
  "console-review-phone": "run-review-phone-light",
  "console-disconnected": "disconnected-desktop-dark",
};
const bytesMax = 300_000;
const pictures = new Set(Object.values(chosen));

export function isChosen(picture: string): boolean {
  return pictures.has(picture);
}

/** Copies them; answers what is wrong with them. */
export function copyChosen({ from, to }: { readonly from: string; readonly to: string }): readonly string[] {
  const troubles: string[] = [];
  for (const [name, picture] of Object.entries(chosen)) {
    const source = path.join(from, `${picture}.png`);
    const target = path.join(to, `${name}.png`);
    if (!fs.existsSync(source)) {
      troubles.push(`${picture} was not taken.`);
      continue;
    }
    fs.copyFileSync(source, target);
    if (fs.statSync(target).size > bytesMax) troubles.push(`${name}.png is larger than ${bytesMax} bytes.`);
  }
  return troubles;
}
