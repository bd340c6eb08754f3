// Where toolchains live, and which folders of theirs agents may see. docs/operating/toolchains.md shows this list to people.

export type Part = {
  /** Where it is, in the person's home, … */
  readonly root: string;
  /** … unless this variable of theirs says otherwise. */
  readonly variable?: string;
  /** The same, and programs inside are told: they would look for it in the home that they have there. */
  readonly told?: string;
  /** What is shown of it: folders in which its tools keep no credentials. */
  readonly shown: readonly string[];
};

export type KnownToolchain = Part & {
  readonly name: string;
  /** Its folders on the PATH, as they are called in its root. */
  readonly onPath: RegExp;
  /** What it stands on. */
  readonly with?: readonly Part[];
};

const whole = ["."];

export const knownToolchains: readonly KnownToolchain[] = [
  // Its configuration and its logins lie beside these: the folder of `credentials.toml`, and checkouts of what is private.
  {
    ...{ name: "Rust", root: ".cargo", variable: "CARGO_HOME", onPath: /^bin$/, shown: ["bin"] },
    with: [{ root: ".rustup", told: "RUSTUP_HOME", shown: whole }],
  },
  { name: "nvm", root: ".nvm", variable: "NVM_DIR", onPath: /^versions\/node\/[^/]+\/bin$/, shown: ["versions"] },
  {
    ...{ name: "Volta", root: ".volta", told: "VOLTA_HOME" },
    ...{ onPath: /^bin$/, shown: ["bin", "tools", "layout.v4"] },
  },
  {
    ...{ name: "fnm", root: ".local/share/fnm", variable: "FNM_DIR" },
    ...{ onPath: /^node-versions\/[^/]+\/installation\/bin$/, shown: ["node-versions"] },
  },
  {
    ...{ name: "fnm, older", root: ".fnm" },
    ...{ onPath: /^node-versions\/[^/]+\/installation\/bin$/, shown: ["node-versions"] },
  },
  { name: "pnpm", root: ".local/share/pnpm", variable: "PNPM_HOME", onPath: /^(bin)?$/, shown: whole },
  { name: "Bun", root: ".bun", variable: "BUN_INSTALL", onPath: /^bin$/, shown: ["bin"] },
  { name: "Deno", root: ".deno", variable: "DENO_INSTALL_ROOT", onPath: /^bin$/, shown: ["bin"] },
  {
    ...{ name: "pyenv", root: ".pyenv", told: "PYENV_ROOT" },
    ...{ onPath: /^(shims|bin|plugins\/[^/]+\/(shims|bin))$/, shown: whole },
  },
  {
    ...{ name: "uv, pipx, poetry", root: ".local", onPath: /^bin$/ },
    // Not all that is uv's: its logins are in `share/uv/credentials`.
    shown: ["bin", "share/uv/tools", "share/uv/python", "share/pipx", "pipx", "share/pypoetry/venv"],
  },
  {
    ...{ name: "rbenv", root: ".rbenv", told: "RBENV_ROOT" },
    ...{ onPath: /^(shims|bin)$/, shown: whole },
  },
  {
    ...{ name: "asdf", root: ".asdf", told: "ASDF_DATA_DIR" },
    ...{ onPath: /^(shims|bin)$/, shown: whole },
  },
  {
    ...{ name: "mise", root: ".local/share/mise", told: "MISE_DATA_DIR" },
    ...{ onPath: /^(shims|installs\/.*)$/, shown: ["shims", "installs", "plugins"] },
  },
  {
    ...{ name: "SDKMAN", root: ".sdkman", variable: "SDKMAN_DIR" },
    ...{ onPath: /^candidates\/[^/]+\/current\/bin$/, shown: ["candidates"] },
  },
  { name: "Go", root: "go", variable: "GOPATH", onPath: /^bin$/, shown: ["bin"] },
];
