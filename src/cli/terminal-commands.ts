// Commands about terminals and what was recorded in them, as entries of the table of commands.

import type { Branch } from "./command-table.ts";

export const terminal: Branch = {
  brief: "Lists, opens, names and ends terminals in agents and runs.",
  aliases: { ls: "list", rm: "close" },
  commands: {
    list: {
      brief: "Lists terminals, the newest first, and the views of an agent.",
      load: async () => (await import("./commands/terminal-list.ts")).terminalList,
    },
    open: {
      brief: "Opens a terminal without going there.",
      load: async () => (await import("./commands/terminal.ts")).terminalOpen,
    },
    rename: {
      brief: "Gives a terminal another name.",
      load: async () => (await import("./commands/terminal.ts")).terminalRename,
    },
    say: {
      brief: "Says a line to everybody who looks at a terminal.",
      load: async () => (await import("./commands/terminal.ts")).terminalSay,
    },
    close: {
      brief: "Ends terminals, with everything that was started in them.",
      load: async () => (await import("./commands/terminal.ts")).terminalClose,
    },
  },
};

export const recording: Branch = {
  brief: "Lists, plays, exports, searches and removes recordings of terminals.",
  aliases: { ls: "list", rm: "remove" },
  commands: {
    list: {
      brief: "Lists recordings, the newest first.",
      load: async () => (await import("./commands/recording.ts")).recordingList,
    },
    play: {
      brief: "Plays a recording in this terminal.",
      load: async () => (await import("./commands/recording.ts")).recordingPlay,
    },
    export: {
      brief: "Writes a recording as asciicast, or as plain text.",
      load: async () => (await import("./commands/recording.ts")).recordingExport,
    },
    search: {
      brief: "Finds lines in what was said in terminals.",
      load: async () => (await import("./commands/recording.ts")).recordingSearch,
    },
    remove: {
      brief: "Removes recordings for good.",
      load: async () => (await import("./commands/recording.ts")).recordingRemove,
    },
  },
};
