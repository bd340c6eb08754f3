// Claude Code as a program that is spoken to in lines of JSON. It gets no tools but the door's, no settings but ours, and
// for a model only the relay.

import type {
  Abilities,
  Assistant,
  AssistantJob,
  Beginning,
  Reading,
  Talk,
  ToolServer,
} from "../../../ports/assistant.ts";
import { parseLine } from "../json-line.ts";
import { ClaudeHooks, nativeTools } from "./claude-hooks.ts";
import { ClaudeMemory, pieceIn, readClaudeLine, repeatsWords } from "./read-claude-line.ts";

const settingsFile = "door.json";
/** The name that its tools have after `mcp__`. */
const doorName = "door";
/** Its tool that lets others of its kind work for it, by the name that every version allows; newer ones call it `Agent`. They have the tools that it has, and so no hands but the door. */
const delegating = "Task";
/** A call may wait for a person; the program's own patience must not end it. */
const toolPatienceMs = 24 * 60 * 60 * 1000;

export class ClaudeAssistant implements Assistant {
  readonly name = "claude";
  readonly program = "claude";
  readonly install = "npm install -g @anthropic-ai/claude-code";
  readonly tried = { from: "2.1.0", to: "2.1.325" };
  readonly provider = "anthropic";
  readonly can: Abilities = {
    streaming: true,
    messages: true,
    resume: true,
    interrupt: true,
    steer: true,
    cost: true,
    subagents: true,
    models: true,
    native: true,
  };

  begin(job: AssistantJob): Beginning {
    const { home, door, relay, session, model } = job;
    const own = [...(job.tools === "native" ? nativeTools : []), ...(job.subagents ? [delegating] : [])];
    const all = [{ name: doorName, ...door }, ...job.servers];
    const mcpServers = Object.fromEntries(all.map((each) => [each.name, toServer(each)]));
    return {
      args: [
        ...["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"],
        ...["--replay-user-messages", "--include-partial-messages"],
        ...["--tools", own.join(","), "--strict-mcp-config", "--mcp-config", `${home}/${settingsFile}`],
        ...[
          "--allowedTools",
          [...all.map(({ name }) => `mcp__${name}__*`), ...own].join(","),
          "--setting-sources=",
          "--permission-mode",
          "dontAsk",
        ],
        ...(model === null ? [] : ["--model", model]),
        ...(session === null ? [] : ["--resume", session]),
      ],
      env: {
        CLAUDE_CONFIG_DIR: `${home}/config`,
        ANTHROPIC_BASE_URL: relay.url,
        ANTHROPIC_API_KEY: relay.token,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // What works for it works within its turn: a turn that ends before would end the run.
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
        // What they say comes as their parent's words do. A version that does not know this tells their last word alone.
        CLAUDE_CODE_FORWARD_SUBAGENT_TEXT: "1",
        // Enough for a daemon that starts again; a longer wait is its run's, and that waits without it.
        CLAUDE_CODE_MAX_RETRIES: "3",
        // The door's tools are few: they need not be looked for.
        ENABLE_TOOL_SEARCH: "false",
        MCP_TOOL_TIMEOUT: String(toolPatienceMs),
        MCP_TIMEOUT: "60000",
      },
      files: [{ path: settingsFile, text: JSON.stringify({ mcpServers }) }],
      cwd: "project",
    };
  }

  talk(job: AssistantJob): Talk {
    return new ClaudeTalk(job);
  }
}

/** What it is told waits until it looks: then it joins the turn under way, or begins the next. It repeats what it takes. */
class ClaudeTalk implements Talk {
  readonly hooks?: ClaudeHooks;
  readonly #prompt: string;
  #interrupts = 0;
  /** What it has taken since its turn began. */
  #taken = 0;
  readonly #memory = new ClaudeMemory();

  constructor({ prompt, tools }: AssistantJob) {
    this.#prompt = prompt;
    if (tools === "native") this.hooks = new ClaudeHooks();
  }

  open(): string {
    const message = toMessage(this.#prompt);
    return this.hooks === undefined ? message : `${ClaudeHooks.begin()}${message}`;
  }

  read(line: string): Reading {
    const heard = readClaudeLine(line, this.#memory);
    const message = parseLine(line) ?? {};
    this.hooks?.read(message);
    if (heard.some((item) => item.is === "session")) this.#taken = 0;
    const joined = repeatsWords(line) && ++this.#taken > 1 ? 1 : 0;
    return { heard, pieces: pieceIn(message), write: "", joined };
  }

  say(text: string): { write: string; begins: boolean } {
    return { write: toMessage(text), begins: true };
  }

  interrupt(): string {
    const name = `interrupt-${++this.#interrupts}`;
    return `${JSON.stringify({ type: "control_request", request_id: name, request: { subtype: "interrupt" } })}\n`;
  }
}

function toServer(server: ToolServer): object {
  if ("url" in server) return { type: "http", url: server.url, headers: { Authorization: `Bearer ${server.token}` } };
  const [command, ...args] = server.command;
  return { type: "stdio", command, args, env: server.env };
}

function toMessage(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: text } })}\n`;
}
