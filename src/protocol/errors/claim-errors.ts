// Codes about units, claims and leases (LS27).

import { type ErrorData, type ErrorEntry, exitCodes, show } from "./error-entry.ts";

type Edge = {
  readonly fromHolder?: string;
  readonly from?: string;
  readonly toHolder?: string;
  readonly to?: string;
  readonly unit?: string | null;
};

export const claimErrors = {
  "bad-unit": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "A work unit could not be read.",
    todo: "Write file:PATH, dir:PATH or process:NAME, with paths relative to the project.",
    sentence: (data) =>
      `"${show(data["unit"])}" is not a unit: ${show(data["why"])}. Write file:src/a.ts, dir:src or process:test.`,
  },
  "key-reused": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The idempotency key was used before, for another request.",
    todo: "Take a new key for a new request; repeat a request exactly to get its answer again.",
    sentence: (data) =>
      data["run"] === undefined
        ? `The key "${show(data["key"])}" was used before for another request. Take a new key for a new request.`
        : `The key "${show(data["key"])}" was used before, for run ${show(data["run"])}, and this differs: ${show(data["differs"])}. Take a new key for a new run, or repeat the request exactly to get that one.`,
  },
  expired: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The holder's leases have ended: nobody renewed them in time, or they were given back.",
    todo: "Claim again; renew before `expiresAtMs` next time.",
    sentence: (data) =>
      `The leases of ${show(data["holder"] ?? data["family"])} are over. Claim again, and renew before they expire.`,
  },
  "not-held": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The unit is not held by whoever wants to give it back, or not closed where somebody wants to clear it.",
    todo: "Look at `locks` for what is held, and by whom.",
    sentence: (data) =>
      `The unit ${show(data["unit"])} is not held by this claim, and not closed. \`signalbox locks\` shows what is held, and by whom.`,
  },
  "held-by-landing": {
    status: 409,
    exit: exitCodes.refused,
    retry: "later",
    means: "The unit's changes are being landed; until that is recorded it cannot be given back.",
    todo: "Try again when the landing is over.",
    sentence: (data) => `The changes of ${show(data["unit"])} are being landed. Try again when its run is done.`,
  },
  dirty: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The unit has changes that would be given up with it.",
    todo: "Land them first, or agree to set them aside.",
    sentence: (data) =>
      `There are changes on ${show(data["unit"])} that are not landed: ${show(data["paths"])}. Land them first, or give it back with its changes set aside.`,
  },
  deadlock: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Waiting would never end: somebody in the way already waits, directly or not, for the one who asks.",
    todo: "Land what is done and claim then; give back a unit that the others wait for; or split the work.",
    sentence: (data) =>
      `Waiting would never end, because ${circle(data)}. Land what is done, give a unit back, or split the work.`,
    ways: waysOutOfDeadlock,
  },
  busy: {
    status: 409,
    exit: exitCodes.refused,
    retry: "later",
    means: "Somebody else holds a unit, and the claim only tried.",
    todo: "Claim with waiting (`mode: wait`), or take other units.",
    sentence: (data) =>
      `The unit ${show(data["unit"] ?? "of this claim")} is ${data["ahead"] === true ? "wanted by" : "held by"} ${show(data["holder"] ?? "somebody else")}${data["ahead"] === true ? ", ahead in the queue" : ""}. Claim with waiting, or take other units.`,
    ways: () => [
      "Claim with waiting: --wait 10s on the command line, mode wait elsewhere.",
      "Claim other units first.",
      "See who holds what with locks, and ask them to give it back.",
    ],
  },
  "outside-lease": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The act touches a unit that no lease of its run covers.",
    todo: "Claim the unit that the sentence names.",
    sentence: (data) => `No lease covers ${show(data["unit"])}. Claim ${show(data["unit"])} first.`,
  },
  "not-ready": {
    status: 409,
    exit: exitCodes.refused,
    retry: "now",
    means: "The lease is granted, and its paths are still being brought in step.",
    todo: "Try again in a moment.",
    sentence: (data) =>
      `The lease on ${show(data["unit"])} is granted and its paths are being brought in step. Try again in a moment.`,
  },
  "stale-fence": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The act came with an old fence: the unit was granted to somebody else since.",
    todo: "Claim again and act under the new fence.",
    sentence: (data) => `Somebody else was granted ${show(data["unit"])} since. Claim it again.`,
  },
} as const satisfies Record<string, ErrorEntry>;

function circle(data: ErrorData): string {
  const edges = Array.isArray(data["cycle"]) ? (data["cycle"] as readonly Edge[]) : [];
  if (edges.length === 0) return "the holders would wait for each other";
  return edges
    .map((edge) => {
      const unit = typeof edge.unit === "string" ? ` for ${edge.unit}` : "";
      return `${edge.fromHolder ?? edge.from ?? "?"} waits${unit} on ${edge.toHolder ?? edge.to ?? "?"}`;
    })
    .join(", and ");
}

function waysOutOfDeadlock(data: ErrorData): string[] {
  const edges = Array.isArray(data["cycle"]) ? (data["cycle"] as readonly Edge[]) : [];
  // What the others want of the one who asks stands on the edges that lead back to it.
  const wanted = edges.flatMap((edge) =>
    edge.to === edges[0]?.from && typeof edge.unit === "string" ? [edge.unit] : [],
  );
  const named = wanted.length === 0 ? "a unit that the others wait for" : [...new Set(wanted)].join(" or ");
  return [
    "Land what is done, then claim.",
    `Give back ${named}; its changes are set aside.`,
    "Split the work: claim only what is free now, and the rest in another run.",
  ];
}
