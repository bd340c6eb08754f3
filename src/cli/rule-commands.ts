// The commands for rules and what they stand on: policies, profiles, prices, logins.

import type { Branch } from "./command-table.ts";

export const dockerNames = { ls: "list", rm: "remove" } as const;

export const policy: Branch = {
  brief: "Sets, lists, shows and removes policies.",
  aliases: dockerNames,
  commands: {
    set: {
      brief: "Makes a policy, or replaces the one of the same name.",
      load: async () => (await import("./commands/policy-set.ts")).policySet,
    },
    list: {
      brief: "Lists the policies, the most important first.",
      load: async () => (await import("./commands/policy-list.ts")).policyList,
    },
    show: { brief: "Shows a policy.", load: async () => (await import("./commands/policy-show.ts")).policyShow },
    remove: {
      brief: "Removes policies.",
      load: async () => (await import("./commands/policy-remove.ts")).policyRemove,
    },
  },
};

export const profile: Branch = {
  brief: "Sets, lists, shows and removes profiles: with what a run works.",
  aliases: dockerNames,
  commands: {
    set: {
      brief: "Makes a profile, or replaces the one of the same name.",
      load: async () => (await import("./commands/profile.ts")).profileSet,
    },
    list: { brief: "Lists the profiles.", load: async () => (await import("./commands/profile.ts")).profileList },
    show: { brief: "Shows a profile.", load: async () => (await import("./commands/profile.ts")).profileShow },
    remove: { brief: "Removes profiles.", load: async () => (await import("./commands/profile.ts")).profileRemove },
  },
};

export const price: Branch = {
  brief: "Lists, sets and removes what models cost.",
  aliases: dockerNames,
  commands: {
    list: { brief: "Lists what models cost.", load: async () => (await import("./commands/price.ts")).priceList },
    set: {
      brief: "Says what models cost whose names begin so.",
      load: async () => (await import("./commands/price.ts")).priceSet,
    },
    remove: {
      brief: "Removes prices that you set.",
      load: async () => (await import("./commands/price.ts")).priceRemove,
    },
  },
};

export const subscription: Branch = {
  brief: "Gives the daemon logins of subscriptions, lists and removes them. Nothing shows one.",
  aliases: dockerNames,
  commands: {
    add: {
      brief: "Pays for a runner's models with a login from now on.",
      load: async () => (await import("./commands/subscription.ts")).subscriptionAdd,
    },
    list: {
      brief: "Lists the logins: until when they are good, and when they were renewed.",
      load: async () => (await import("./commands/subscription.ts")).subscriptionList,
    },
    remove: {
      brief: "Forgets logins.",
      load: async () => (await import("./commands/subscription.ts")).subscriptionRemove,
    },
  },
};
