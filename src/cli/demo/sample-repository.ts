// A small repository to try things on: a shop in shell, with a test that takes a moment, and one file that everybody wants.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const files: Readonly<Record<string, string>> = {
  "README.md": "# A small shop\n\nPrices, shipping and tax, in shell. `./test.sh` tries them.\n",
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- There is a test.\n\n## 1.0\n\n- The shop opens.\n",
  "lib/prices.sh": "# What things cost, in cents.\nprice_apple=30\nprice_pear=45\nprice_plum=20\n",
  "lib/shipping.sh": "# What sending costs, in cents.\nshipping_near=300\nshipping_far=900\n",
  "lib/tax.sh": "# Percent.\ntax_food=7\ntax_other=19\n",
  "test.sh": `#!/bin/sh
# Every price, rate and cost is a whole number, and no name is set twice.
set -eu
cd "$(dirname "$0")"
for file in lib/*.sh; do . "./$file"; done
bad=$(grep -hv '^#' lib/*.sh | grep -v '^[a-z_]*=[0-9]*$' || true)
twice=$(grep -ho '^[a-z_]*=' lib/*.sh | sort | uniq -d)
if [ -n "$bad$twice" ]; then echo "not right: $bad $twice"; exit 1; fi
echo "all prices add up"
`,
};

/** Makes the repository in a folder that is new, with one commit on `main`. */
export function makeSampleRepository(folder: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: "wx" });
  }
  chmodSync(join(folder, "test.sh"), 0o755);
  // A person's own settings, such as hooks or signed commits, have no place in a sample.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const plain = ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
  const git = (...args: string[]): void => {
    execFileSync("git", ["-C", folder, ...plain, ...args], { stdio: ["ignore", "ignore", "pipe"], env });
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Demo");
  git("config", "user.email", "demo@localhost");
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", "--message=A small shop");
}
