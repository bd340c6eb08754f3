// Has the agent's own repository stand where its workspace does (LD63). Only git inside the cage touches it, with the agent's
// authority (EN57), and what is in there may be anything by then: where it does not work, the agent goes on without.

import { existsSync, renameSync, writeFileSync } from "node:fs";
import type { GitOrder, WireStand } from "../../protocol/keeper/keeper-wire.ts";
import { readJson } from "../os/durable-file.ts";
import { toMessage } from "../os/errno.ts";
import { say } from "../os/say.ts";
import type { Commands } from "./commands.ts";
import { git, gitEnv, gitWords, runOwnGit } from "./own-git.ts";

/** Where the workspace stands, and whether the repository does. */
type Kept = { readonly commit: string; readonly anew: boolean; readonly isKnown: boolean };

export type GitBaseParts = {
  readonly commands: Commands;
  readonly git: GitOrder;
  /** Where it is written down for the keeper after this one. */
  readonly file: string;
};

const timeoutMs = 10_000;
const restMsMax = 60_000;

// Arguments: where the workspace stands, where it began, the branch that was made with it, and whether somebody new has it.
// The index comes first: killed between the two, the same once more gives the same; and whoever commits at that very
// moment commits what is there. `read-tree -i` looks at no file, for those are placed by others.
const script = `
[ -d .git ] && [ ! -L .git ] && [ ! -e .git/commondir ] || exit 0
to=$1 first=$2 branch=refs/heads/$3 how=$4
g() {
  ${gitWords.join(" ")} --git-dir=.git --work-tree=. "$@"
}
if found=$(g rev-parse HEAD refs/signalbox/base --symbolic-full-name HEAD 2> /dev/null); then
  set -- $found
  head=$1 base=$2 on=$3
else
  # One that was made by an earlier release, or what is left of one.
  head=$(g rev-parse --quiet --verify HEAD)
  base=$(g rev-parse --quiet --verify refs/signalbox/base) || base=$first
  on=$(g symbolic-ref --quiet HEAD)
fi
said="signalbox: the workspace stands at $to"
if [ "$how" = anew ]; then
  (cd .git && rm -rf index.lock HEAD.lock MERGE_HEAD MERGE_MODE MERGE_MSG MERGE_RR MERGE_AUTOSTASH AUTO_MERGE SQUASH_MSG \\
    CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG BISECT_START rebase-merge rebase-apply sequencer)
  g read-tree --reset -i "$to" || { rm -rf .git/index; g read-tree "$to"; } || exit 1
  {
    [ -z "$head" ] || [ "$head" = "$base" ] || [ "$head" = "$to" ] || echo "update refs/signalbox/left $head"
    echo "update $branch $to"
    echo "update refs/signalbox/base $to"
  } | g update-ref -m "$said" --stdin || exit 1
  [ "$on" = "$branch" ] || g symbolic-ref -m "$said" HEAD "$branch"
  exit
fi
isPlain() {
  for name in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply sequencer; do
    [ ! -e ".git/$name" ] || return 1
  done
}
if [ "$head" = "$base" ] && [ "$head" != "$to" ] && [ "$on" = "$branch" ] && isPlain; then
  if why=$(g read-tree -m -i "$base" "$to" 2>&1); then
    printf 'update %s %s %s\\nupdate refs/signalbox/base %s\\n' "$branch" "$to" "$base" "$to" |
      g update-ref -m "$said" --stdin && exit
  else
    # Somebody is at the index just now, and will be done.
    case $why in *index.lock*) exit 75 ;; esac
  fi
fi
g update-ref refs/signalbox/base "$to"
`;

const env = {
  ...gitEnv,
  ...{ GIT_COMMITTER_NAME: "signalbox", GIT_COMMITTER_EMAIL: "signalbox@signalbox.invalid" },
};

export class GitBase {
  readonly #parts: GitBaseParts;
  readonly #isAble = existsSync(git);
  #kept: Kept;
  #following: Promise<void> | undefined;
  #attempts = 0;
  /** How often in a row it did not work, and until when it is left alone. */
  #failures = 0;
  #restUntilMs = 0;
  /** Something in there hangs: nobody waits for it any more. */
  #isSlow = false;

  constructor(parts: GitBaseParts) {
    this.#parts = parts;
    // Of one that was made by an earlier release nobody knows it: then it is found out inside.
    const known = readJson(parts.file) as Kept | undefined;
    this.#kept = known ?? { commit: parts.git.commit, anew: false, isKnown: false };
  }

  /** The repository was made just now, of the commit that the workspace began at. */
  wasMade(): void {
    const { commit } = this.#kept;
    this.#keep({ commit, anew: false, isKnown: commit === this.#parts.git.commit });
  }

  moved({ commit, anew = false }: WireStand): void {
    const { commit: before, anew: wasAnew, isKnown } = this.#kept;
    if (commit === before && !anew) return;
    this.#keep({ commit, anew: anew || (wasAnew && !isKnown), isKnown: false });
    this.#failures = 0;
    this.#restUntilMs = 0;
  }

  /** Resolves when the repository stands where the workspace does, or does not work; undefined where nobody has to wait. */
  caughtUp(): Promise<void> | undefined {
    if (this.#kept.isKnown || !this.#isAble) return undefined;
    if (this.#following === undefined) {
      if (performance.now() < this.#restUntilMs) return undefined;
      this.#following = this.#follow().finally(() => (this.#following = undefined));
    }
    return this.#isSlow ? undefined : this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#kept.isKnown) {
      const kept = this.#kept;
      const isTold = await this.#tell(kept);
      // It may have moved on meanwhile.
      if (this.#kept !== kept) continue;
      if (!isTold) {
        this.#restUntilMs = performance.now() + Math.min(restMsMax, 1000 * 2 ** this.#failures++);
        return;
      }
      this.#failures = 0;
      this.#keep({ ...kept, anew: false, isKnown: true });
    }
  }

  async #tell({ commit, anew }: Kept): Promise<boolean> {
    const { commands, git: made } = this.#parts;
    const call = `git-base-${process.pid}-${++this.#attempts}`;
    const argv = ["/bin/sh", "-c", script, "sh", commit, made.commit, made.branch, anew ? "anew" : "on"];
    // It is spared: ended at once for want of disk, it would leave the index locked.
    const start = { op: "start", call, argv, cwd: null, env, timeoutMs, onMachine: true, spared: true } as const;
    try {
      const end = await runOwnGit(commands, start);
      this.#isSlow = end.why === "timed-out";
      return end.exit === 0;
    } catch (error) {
      // Whoever starts something hears themselves why nothing starts.
      say(`the agent's own repository could not be told where its workspace stands: ${toMessage(error)}`);
      return false;
    }
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    const { file } = this.#parts;
    try {
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      // On a full disk files are moved all the same.
      say(`where the workspace stands could not be written down: ${toMessage(error)}`);
    }
  }
}
