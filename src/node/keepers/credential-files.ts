// Looks for a credential in a folder before agents see it. Tools keep theirs elsewhere, as a rule; people may have put one
// beside a toolchain all the same, and whoever shows a folder shows all of it.

import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Files that have nothing else in them. */
const always =
  /^(\.?credentials(\.(toml|json|ya?ml|ini|xml))?|\.netrc|_netrc|\.git-credentials|\.pypirc|auth\.(json|ini|toml)|id_(rsa|dsa|ecdsa|ed25519))$/;
/** Files of settings, in which there may be one. */
const perhaps = /^(\.?npmrc|rc|\.yarnrc(\.yml)?|pip\.conf|\.?condarc|settings\.xml|gradle\.properties|config)$/;
const said =
  /_auth(token)?\s*[=:]|_password\s*=|npmAuth(Token|Ident)\s*:|<(password|privateKey|passphrase)>[^<{$]|password\s*=\s*\S|:\/\/[^\s/@:]+:[^\s/@]+@/i;
/** Below these there are libraries and no settings, and any number of them. */
const skipped =
  /^(lib|lib64|libexec|include|share|src|doc|docs|man|test|tests|node_modules|site-packages|store|pkgs|objects)$/;
const depthMax = 4;
const foldersMax = 5000;
const fileBytesMax = 64 * 1024;

/** Why a folder is not to be shown; undefined where no credential was found. */
export async function whyNotShown(folder: string): Promise<string | undefined> {
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: folder, depth: 0 }];
  // It grows while it is walked.
  for (const { path, depth } of waiting) {
    if (waiting.length > foldersMax) return `there is too much in ${folder} to be looked through for credentials`;
    const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const each = join(path, entry.name);
      if (entry.isDirectory() && depth < depthMax && !skipped.test(entry.name))
        waiting.push({ path: each, depth: depth + 1 });
      if (entry.isFile() && (always.test(entry.name) || (perhaps.test(entry.name) && (await says(each)))))
        return `there may be a credential in ${each}`;
    }
  }
  return undefined;
}

async function says(file: string): Promise<boolean> {
  const { size } = await stat(file);
  // Nobody writes so many settings by hand, and what is not read may have one.
  if (size > fileBytesMax) return true;
  const text = await readFile(file, "utf8").catch(() => "");
  // Maven's own file explains by example how one is written.
  return said.test(text.replaceAll(/<!--[^]*?-->/g, ""));
}
