// Gemini CLI as an agent of the Agent Client Protocol, without tools of its own.

import type { AcpAgent } from "./acp-assistant.ts";

export const geminiAgent: AcpAgent = {
  name: "gemini",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",
  tried: { from: "0.61.0", to: "0.61.0" },
  provider: "gemini",
  // It would ask a small model which of the large ones to ask.
  chooses: true,
  // It hides every tool that has the name of one which it keeps from programs.
  toolNames: { ask_user: "ask_person" },
  begin: ({ home, relay, model }) => ({
    args: ["--acp", ...(model === null ? [] : ["--model", model])],
    env: {
      GEMINI_CLI_HOME: home,
      GEMINI_API_KEY: relay.token,
      GOOGLE_GEMINI_BASE_URL: relay.url,
      // It would start itself once more, with more memory.
      GEMINI_CLI_NO_RELAUNCH: "true",
      NO_BROWSER: "true",
    },
    files: [{ path: ".gemini/settings.json", text: JSON.stringify(settings) }],
  }),
};

const settings = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  // Whatever is not named here is denied. There is one server of tools, and that is the door.
  tools: { core: ["mcp_*"] },
  // Enough for a daemon that starts again; a longer wait is its run's, and that waits without it.
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  skills: { enabled: false },
};
