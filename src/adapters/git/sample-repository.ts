// A small repository to try things on: a shop of constants, with a test that needs nothing but a shell, and one file that everybody wants.

import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { GitRunner } from "./git-runner.ts";

const files: Readonly<Record<string, string>> = {
  "README.md":
    "# A small shop\n\nPrices, shipping, tax and stock, in TypeScript. `./test.sh` looks whether they can be.\n",
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- There is a test.\n\n## 1.0\n\n- The shop opens.\n",
  "src/prices.ts":
    "// What things cost, in cents.\nexport const priceApple = 30;\nexport const pricePear = 45;\nexport const pricePlum = 20;\n",
  "src/shipping.ts":
    "// What sending costs, in cents.\nexport const shippingNear = 300;\nexport const shippingFar = 900;\n",
  "src/app.ts":
    "// The shop itself: how many of each it has to sell.\nexport const stockApple = 120;\nexport const stockPear = 80;\nexport const stockPlum = 300;\n",
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
  "src/tax.ts": "// Percent.\nexport const taxFood = 7;\nexport const taxOther = 19;\n",
  "test.sh": `#!/bin/sh
# Every price, rate, cost and count is a whole number, and no name is set twice.
set -eu
cd "$(dirname "$0")"
bad=$(grep -hv '^//' src/*.ts | grep -v '^export const [a-zA-Z]* = [0-9]*;$' || true)
twice=$(grep -ho '^export const [a-zA-Z]*' src/*.ts | sort | uniq -d)
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
