import type { Branch } from "./command-table.ts";
import { dockerNames } from "./rule-commands.ts";

export const task: Branch = {
  brief: "Makes, lists, shows, changes and removes tasks: what runs are to do.",
  aliases: { ...dockerNames, inspect: "show" },
  commands: {
    add: { brief: "Makes a task.", load: async () => (await import("./commands/task.ts")).taskAdd },
    list: { brief: "Lists the tasks.", load: async () => (await import("./commands/task.ts")).taskList },
    show: {
      brief: "Shows a task, or reads something that comes along with it.",
      load: async () => (await import("./commands/task.ts")).taskShow,
    },
    change: { brief: "Changes what a task says.", load: async () => (await import("./commands/task.ts")).taskChange },
    attach: {
      brief: "Lets notes, links and files come along with a task.",
      load: async () => (await import("./commands/task.ts")).taskAttach,
    },
    detach: {
      brief: "Takes something away from what comes along.",
      load: async () => (await import("./commands/task.ts")).taskDetach,
    },
    remove: { brief: "Removes tasks without runs.", load: async () => (await import("./commands/task.ts")).taskRemove },
  },
};
