// How the list of all commands is laid out.

export const commandGroups: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: "The daemon", names: ["up", "down", "status", "state", "login", "doctor", "demo"] },
  {
    title: "Projects and runs",
    names: ["project", "task", "run", "runners", "inbox", "ps", "logs", "wait", "inspect", "artifacts", "egress"],
  },
  {
    title: "Steering runs",
    names: ["pause", "resume", "stop", "kill", "retry", "continue", "rewind", "fork", "steer", "answer", "door", "rm"],
  },
  { title: "Living agents", names: ["agent", "service", "face", "template"] },
  { title: "Looking inside", names: ["attach", "terminal", "recording"] },
  { title: "Judging results", names: ["review", "diff", "approve", "land", "reject", "return", "trash", "blame"] },
  { title: "Leases", names: ["claim", "renew", "release", "cancel", "locks", "clear"] },
  {
    title: "Rules and records",
    names: [
      "policy",
      "profile",
      "cost",
      "stats",
      "price",
      "secret",
      "subscription",
      "image",
      "events",
      "log",
      "disk",
      "gc",
      "audit",
      "maintain",
    ],
  },
  { title: "More", names: ["mcp", "completion", "version"] },
];
