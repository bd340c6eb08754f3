// A small repository to try things on: a shop in shell, with a test that takes a moment, and one file that everybody wants.

import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { GitRunner } from "./git-runner.ts";

const files: Readonly<Record<string, string>> = {
  "README.md": "# A small shop\n\nPrices, shipping and tax, in shell. `./test.sh` tries them.\n",
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- There is a test.\n\n## 1.0\n\n- The shop opens.\n",
  "lib/prices.sh": "# What things cost, in cents.\nprice_apple=30\nprice_pear=45\nprice_plum=20\n",
  "lib/shipping.sh": "# What sending costs, in cents.\nshipping_near=300\nshipping_far=900\n",
  "lib/stock.sh": "# How many there are.\nstock_apple=120\nstock_pear=80\nstock_plum=300\n",
  ".github/workflows/test.yml": `# Tries the shop whenever somebody pushes.
name: test
on: [push]
permissions:
  contents: read
concurrency:
  group: test
  cancel-in-progress: true
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - run: ./test.sh
`,
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
export async function makeSampleRepository(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
  await chmod(path.join(folder, "test.sh"), 0o755);
  const gitDir = path.join(folder, ".git");
  await mkdir(gitDir);
  const git = new GitRunner();
  // Without a work tree here, or git would write its place down, and the folder could not be moved.
  await git.run({ gitDir }, ["init", "--quiet", "--initial-branch=main"]);
  await git.run({ gitDir }, ["config", "core.bare", "false"]);
  const place = { gitDir, workTree: folder };
  await git.run(place, ["config", "user.name", "Demo"]);
  await git.run(place, ["config", "user.email", "demo@localhost"]);
  await git.run(place, ["add", "--all"]);
  await git.run(place, ["commit", "--quiet", "--no-verify", "--message=A small shop"]);
}
