// Every command with its brief, and where to find it. The briefs stand here so that listing commands loads none.

import { agent, service } from "./agent-commands.ts";
import type { CommandMaker } from "./define-command.ts";
import { dockerNames, policy, price, profile, subscription } from "./rule-commands.ts";
import { task } from "./task-commands.ts";
import { recording, terminal } from "./terminal-commands.ts";

export type Leaf = {
  readonly brief: string;
  readonly load: () => Promise<CommandMaker>;
  readonly hidden?: true;
};

export type Branch = {
  readonly brief: string;
  readonly commands: Readonly<Record<string, Leaf | Branch>>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly hidden?: true;
};

export function isBranch(entry: Leaf | Branch): entry is Branch {
  return "commands" in entry;
}

const project: Branch = {
  brief: "Adds, lists, changes and removes projects.",
  aliases: dockerNames,
  commands: {
    add: {
      brief: "Registers a folder that agents work on.",
      load: async () => (await import("./commands/project-add.ts")).projectAdd,
    },
    list: { brief: "Lists the projects.", load: async () => (await import("./commands/project-list.ts")).projectList },
    show: { brief: "Shows a project.", load: async () => (await import("./commands/project-show.ts")).projectShow },
    change: {
      brief:
        "Changes a project's case rule, its named processes, its test, what is derived, whom its runs may reach or their image.",
      load: async () => (await import("./commands/project-change.ts")).projectChange,
    },
    remove: {
      brief: "Forgets projects. Their folders are not touched.",
      load: async () => (await import("./commands/project-remove.ts")).projectRemove,
    },
  },
};

const face: Branch = {
  brief: "Lists and opens faces: web pages and MCP endpoints of agents.",
  aliases: { ls: "list" },
  commands: {
    list: {
      brief: "Lists the faces of agents, and where they are.",
      load: async () => (await import("./commands/face.ts")).faceList,
    },
    open: {
      brief: "Opens a face in the browser, or prints the way in.",
      load: async () => (await import("./commands/face.ts")).faceOpen,
    },
  },
};

const image: Branch = {
  brief: "Lists and prunes the images that agents work in.",
  commands: {
    list: {
      brief: "Lists the images whose files are kept for agents.",
      load: async () => (await import("./commands/image.ts")).imageList,
    },
    prune: {
      brief: "Takes away the files of images that no agent has.",
      load: async () => (await import("./commands/image.ts")).imagePrune,
    },
  },
};

const secret: Branch = {
  brief: "Sets, lists and removes secrets. Nothing shows their values.",
  aliases: dockerNames,
  commands: {
    set: {
      brief: "Keeps a secret, encrypted.",
      load: async () => (await import("./commands/secret.ts")).secretSet,
    },
    list: {
      brief: "Lists the names of secrets, where they come from and when they were used.",
      load: async () => (await import("./commands/secret.ts")).secretList,
    },
    remove: { brief: "Removes secrets.", load: async () => (await import("./commands/secret.ts")).secretRemove },
  },
};

const template: Branch = {
  brief: "Writes, checks and shows templates: what agents are made of.",
  aliases: { ls: "list" },
  commands: {
    init: {
      brief: "Writes a template into this folder, for a common stack.",
      load: async () => (await import("./commands/template.ts")).templateInit,
    },
    validate: {
      brief: "Says everything that is wrong with templates, with its line and what to do.",
      load: async () => (await import("./commands/template.ts")).templateValidate,
    },
    show: {
      brief: "Shows a template with everything filled in that it leaves out.",
      load: async () => (await import("./commands/template.ts")).templateShow,
    },
    list: {
      brief: "Lists the stacks that come along.",
      load: async () => (await import("./commands/template.ts")).templateList,
    },
    schema: {
      brief: "Prints the JSON schema of templates, for editors.",
      load: async () => (await import("./commands/template.ts")).templateSchema,
    },
  },
};

const trash: Branch = {
  brief: "Lists, restores and purges what was set aside.",
  aliases: { ls: "list" },
  commands: {
    list: {
      brief: "Lists changes that left a workspace without landing.",
      load: async () => (await import("./commands/trash.ts")).trashList,
    },
    restore: {
      brief: "Writes one of them to a file, or shows it.",
      load: async () => (await import("./commands/trash.ts")).trashRestore,
    },
    purge: {
      brief: "Lets some of them go for good.",
      load: async () => (await import("./commands/trash.ts")).trashPurge,
    },
  },
};

const log: Branch = {
  brief: "Verifies and exports the log.",
  commands: {
    verify: {
      brief: "Reads the whole log and checks every record.",
      load: async () => (await import("./commands/log-verify.ts")).logVerify,
    },
    export: {
      brief: "Writes events as JSON lines.",
      load: async () => (await import("./commands/log-export.ts")).logExport,
    },
  },
};

export const commandTable: Readonly<Record<string, Leaf | Branch>> = {
  up: { brief: "Starts the daemon.", load: async () => (await import("./commands/up.ts")).up },
  down: { brief: "Ends the daemon.", load: async () => (await import("./commands/down.ts")).down },
  status: {
    brief: "Says what runs here and how much there is to do.",
    load: async () => (await import("./commands/status.ts")).status,
  },
  login: {
    brief: "Makes a link that opens the console once.",
    load: async () => (await import("./commands/login.ts")).login,
  },
  doctor: {
    brief: "Tries what the daemon needs of this machine and says what is missing.",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  demo: {
    brief: "Lets five scripted agents work on a sample repository and land it all.",
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  project,
  template,
  task,
  run: {
    brief: "Submits a task and starts a run of it as soon as it may.",
    load: async () => (await import("./commands/run.ts")).run,
  },
  runners: {
    brief: "Lists the runners: what is installed, what it can do, whether a credential is there; or probes one.",
    load: async () => (await import("./commands/runners.ts")).runners,
  },
  inbox: {
    brief: "Lists what needs a person, over all runs, the oldest first.",
    load: async () => (await import("./commands/inbox.ts")).inbox,
  },
  ps: { brief: "Lists runs, the newest first.", load: async () => (await import("./commands/ps.ts")).ps },
  logs: { brief: "Shows what a run did, in order.", load: async () => (await import("./commands/logs.ts")).logs },
  wait: { brief: "Waits until runs are over.", load: async () => (await import("./commands/wait.ts")).wait },
  plan: {
    brief: "Shows what a run planned, with the state of each unit and step.",
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  story: {
    brief: "Sums up what a run did, from its beginning on, and lists its steps.",
    load: async () => (await import("./commands/story.ts")).story,
  },
  inspect: {
    brief: "Shows everything about a run, task, claim, project, policy, agent or service.",
    load: async () => (await import("./commands/inspect.ts")).inspect,
  },
  egress: {
    brief: "Shows which hosts a run or an agent has reached or tried to reach.",
    load: async () => (await import("./commands/egress.ts")).egress,
  },
  pause: {
    brief: "Pauses runs. They keep their leases.",
    load: async () => (await import("./commands/pause.ts")).pause,
  },
  resume: { brief: "Lets paused runs go on.", load: async () => (await import("./commands/resume.ts")).resume },
  stop: { brief: "Ends runs. What they wrote is kept.", load: async () => (await import("./commands/stop.ts")).stop },
  kill: {
    brief: "Ends runs at once, without asking their processes.",
    load: async () => (await import("./commands/kill.ts")).kill,
  },
  rewind: {
    brief: "Takes a run's workspace back to what it was after a step.",
    load: async () => (await import("./commands/rewind.ts")).rewind,
  },
  fork: {
    brief: "Starts a new run that goes on from a step of another.",
    load: async () => (await import("./commands/fork.ts")).fork,
  },
  retry: { brief: "Starts a new run of the same task.", load: async () => (await import("./commands/retry.ts")).retry },
  continue: {
    brief: "Takes a run that is done up again, with a message.",
    load: async () => (await import("./commands/continue.ts")).continueRun,
  },
  raise: {
    brief: "Raises the limit that keeps a run from its model.",
    load: async () => (await import("./commands/raise.ts")).raise,
  },
  steer: { brief: "Says something to a run at work.", load: async () => (await import("./commands/steer.ts")).steer },
  attach: {
    brief: "Joins your terminal in an agent or a run, or opens it.",
    load: async () => (await import("./commands/attach.ts")).attach,
  },
  terminal,
  recording,
  door: {
    brief: "Makes a new token for the door of a run that whoever connects drives.",
    load: async () => (await import("./commands/door.ts")).door,
  },
  artifacts: {
    brief: "Lists what a run left to read, or prints it.",
    load: async () => (await import("./commands/artifacts.ts")).artifacts,
  },
  answer: { brief: "Answers a run's question.", load: async () => (await import("./commands/answer.ts")).answer },
  allow: {
    brief: "Gives a run leave for what its assistant asks to do by itself.",
    load: async () => (await import("./commands/verdict.ts")).allow,
  },
  deny: {
    brief: "Refuses a run what its assistant asks leave for.",
    load: async () => (await import("./commands/verdict.ts")).deny,
  },
  review: {
    brief: "Lists what waits for a person, or shows the changes of runs.",
    load: async () => (await import("./commands/review.ts")).review,
  },
  diff: { brief: "Shows what a run has changed.", load: async () => (await import("./commands/diff.ts")).diff },
  land: {
    brief: "Approves a run in review and waits until it has landed.",
    load: async () => (await import("./commands/land.ts")).land,
  },
  blame: {
    brief: "Shows which run landed each line of a file.",
    load: async () => (await import("./commands/blame.ts")).blame,
  },
  history: {
    brief: "Shows which runs and commits changed a file.",
    load: async () => (await import("./commands/history.ts")).history,
  },
  trash,
  approve: {
    brief: "Approves the results of runs in review, whole or in part; what is approved lands.",
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  reject: {
    brief: "Rejects the result of a run in review.",
    load: async () => (await import("./commands/reject.ts")).reject,
  },
  return: {
    brief: "Sends a run in review back to work, with a message.",
    load: async () => (await import("./commands/return.ts")).returnRun,
  },
  rm: {
    brief: "Forgets runs that are over. The log keeps what happened.",
    load: async () => (await import("./commands/rm.ts")).rm,
  },
  claim: {
    brief: "Claims units, all together: granted at once, or queued.",
    load: async () => (await import("./commands/claim.ts")).claim,
  },
  renew: {
    brief: "Renews the leases of a claim's holder.",
    load: async () => (await import("./commands/renew.ts")).renew,
  },
  release: {
    brief: "Gives units of a claim back; all of them unless some are named.",
    load: async () => (await import("./commands/release.ts")).release,
  },
  cancel: {
    brief: "Ends a waiting claim, or cancels a task with its runs.",
    load: async () => (await import("./commands/cancel.ts")).cancel,
  },
  locks: {
    brief: "Shows who holds what, who waits in which place, and who waits for whom.",
    load: async () => (await import("./commands/locks.ts")).locks,
  },
  clear: {
    brief: "Says that the processes behind a closed process unit are dead.",
    load: async () => (await import("./commands/clear.ts")).clear,
  },
  disk: { brief: "Shows what takes the disk.", load: async () => (await import("./commands/disk.ts")).disk },
  state: {
    brief: "Shows everything at once, as one document.",
    load: async () => (await import("./commands/state.ts")).state,
  },
  audit: {
    brief: "Finds what is left of runs and agents that are gone, and takes it away.",
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  maintain: {
    brief: "Tidies up at once, as the daemon does now and then.",
    load: async () => (await import("./commands/maintain.ts")).maintain,
  },
  gc: {
    brief: "Lets go of bytes that nothing refers to any more.",
    load: async () => (await import("./commands/gc.ts")).gc,
  },
  agent,
  service,
  face,
  policy,
  profile,
  cost: {
    brief: "Says what model requests have cost, and what is left of budgets.",
    load: async () => (await import("./commands/cost.ts")).cost,
  },
  stats: {
    brief: "Says how runs went: states, success, durations and cost, by runner, profile, model, tool, error or day.",
    load: async () => (await import("./commands/stats.ts")).stats,
  },
  price,
  image,
  secret,
  subscription,
  events: { brief: "Shows what happened, in order.", load: async () => (await import("./commands/events.ts")).events },
  log,
  mcp: {
    brief: "Speaks MCP on standard input and output, for assistants.",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  completion: {
    brief: "Prints the completion script of a shell.",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
  version: { brief: "Says which version this is.", load: async () => (await import("./commands/version.ts")).version },
  __complete: {
    brief: "Proposes words to a shell.",
    hidden: true,
    load: async () => (await import("./commands/complete-words.ts")).completeWords,
  },
};
