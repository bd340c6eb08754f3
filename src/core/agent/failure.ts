// What failed, as far as that can be told from outside. What is known for sure comes first: how the process ended, and what the
// keeper saw. Only then is what it said last read for words that every system uses; they are a hint, never a proof: nobody is
// given up for having said "permission denied".

import type { AgentFailure, Failing, FailureCause, ServiceEnd } from "./agent-state.ts";

type Found = { readonly class: AgentFailure; readonly cause: FailureCause };

const found = (failure: AgentFailure, cause: FailureCause): Found => ({ class: failure, cause });

/** Words of the last output, in the order in which they count. */
const signs: readonly { readonly sign: RegExp; readonly found: Found }[] = [
  {
    // Where nothing but each process is limited, V8 says it in other words, and what comes last is where it allocated.
    sign: /ENOMEM|[Cc]annot allocate memory|[Oo]ut of memory|Fatal process OOM|HeapAllocator::AllocateRaw|std::bad_alloc|OutOfMemoryError|MemoryError/,
    found: found("resources", "memory"),
  },
  { sign: /ENOSPC|EDQUOT|No space left on device|[Dd]isk quota exceeded/, found: found("resources", "disk") },
  { sign: /EMFILE|ENFILE|[Tt]oo many open files/, found: found("resources", "files") },
  {
    sign: /(?:fork|thread|clone|namespace)\S*:? .{0,40}[Rr]esource temporarily unavailable|[Cc]an(?:no|')t fork/,
    found: found("resources", "processes"),
  },
  {
    sign: /EACCES|EPERM|[Pp]ermission denied|[Oo]peration not permitted/,
    found: found("service", "not-permitted"),
  },
  {
    sign: /[Cc]annot find module|ModuleNotFoundError|: (?:command )?not found$/m,
    found: found("service", "not-found"),
  },
  {
    sign: /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|[Cc]onnection refused|[Nn]o route to host|[Nn]etwork is unreachable|[Nn]ame or service not known|[Nn]ame resolution/,
    found: found("network", "unreachable"),
  },
];

const portSign = /EADDRINUSE|[Aa]ddress (?:is )?already in use|[Pp]ort \d+ is (?:already )?(?:in use|allocated)/;

/** Exits by which shells say that there is no such program, or none that may be run. */
const exits: ReadonlyMap<number | "unknown", Found> = new Map([
  [126, found("configuration", "not-permitted")],
  [127, found("configuration", "not-found")],
]);

const whys: ReadonlyMap<string, Found> = new Map([
  ["lost", found("lost", "lost")],
  ["out-of-memory", found("resources", "memory")],
  ["out-of-disk", found("resources", "disk")],
  ["not-started", found("configuration", "not-started")],
  ["timed-out", found("service", "timed-out")],
]);

/**
 * The class of a failure, and what it is within that (AG70). `own` are the numbers of the service's ports: others can be had
 * for these, and a number of somebody else's in its command stays wrong however often it is started.
 */
export function classify(end: ServiceEnd, own: readonly number[] = []): Found {
  const { exit, why, said } = end;
  const sure = whys.get(why) ?? exits.get(exit);
  if (sure !== undefined) return sure;
  if (exit === 0) return found("service", "ended");
  if (portSign.test(said)) return found(isOwnPort(said, own) ? "resources" : "configuration", "port-taken");
  return signs.find(({ sign }) => sign.test(said))?.found ?? found("service", "ended");
}

/** Whether what was said names one of its own ports; or no port at all, where it has one. */
function isOwnPort(said: string, own: readonly number[]): boolean {
  const named = [...said.matchAll(/(?:port:? ?|:)(\d{2,5})(?![\d.:])/gi)].map(([, number]) => Number(number));
  const ports = named.filter((number) => number > 1023 || own.includes(number));
  return ports.length === 0 ? own.length > 0 : ports.some((number) => own.includes(number));
}

/** How something ended, for people. */
export function endText({ exit, why, said }: ServiceEnd): string {
  if (why === "not-started") return `it could not be started${firstLineOf(said)}`;
  if (why === "out-of-memory") return "it took more memory than it may";
  if (why === "out-of-disk") return "it took more of the disk than it may";
  if (why === "timed-out") return "it took longer than it may";
  return exit === "unknown" ? "it ended, and nobody knows how" : `it ended with ${exit}`;
}

const lineCharsMax = 120;

function firstLineOf(said: string): string {
  const line = said.trim().split("\n")[0] ?? "";
  return line === "" ? "" : `: ${line.slice(0, lineCharsMax)}`;
}

/** What the words hinted at; nothing where the end says it all. */
const hints: Readonly<Partial<Record<FailureCause, string>>> = {
  memory: "for want of memory",
  disk: "the disk is full",
  files: "too many files are open",
  processes: "there are too many processes",
  "port-taken": "its port is taken",
  unreachable: "it could not reach what it connects to",
  "not-permitted": "something is not permitted",
  "not-found": "something was not found",
};

/** The failure that an end is, for the ladder and for people. */
export function failingOf(end: ServiceEnd, own: readonly number[] = []): Failing {
  const { class: failure, cause } = classify(end, own);
  const text = endText(end);
  const hint = end.why === "ended" ? hints[cause] : undefined;
  return { class: failure, cause, what: hint === undefined ? text : `${text}: ${hint}` };
}
