// Requests to a scripted model as assistants send them, in each of the wire formats.

import { token } from "./relay-rig.ts";

export const messages = (said: string, more: object = {}): object => ({
  model: "plain-1",
  max_tokens: 1000,
  messages: [{ role: "user", content: said }],
  ...more,
});
type Kind = "anthropic" | "responses" | "chat" | "gemini";
export const kinds: readonly Kind[] = ["anthropic", "responses", "chat", "gemini"];

export function toRequest(
  kind: Kind,
  said: string,
  isStream: boolean,
): [target: string, body: object, Record<string, string>] {
  const bearer = { authorization: `Bearer ${token}` };
  switch (kind) {
    case "anthropic":
      return ["/v1/messages?beta=true", messages(said, { stream: isStream }), { "x-api-key": token }];
    case "responses":
      return ["/v1/responses", { model: "plain-1", max_output_tokens: 1000, input: said, stream: isStream }, bearer];
    case "chat":
      return ["/v1/chat/completions", messages(said, { stream: isStream }), bearer];
    default: {
      const call = isStream ? "streamGenerateContent?alt=sse" : "generateContent";
      const generationConfig = { maxOutputTokens: 1000 };
      const body = { contents: [{ role: "user", parts: [{ text: said }] }], generationConfig };
      return [`/v1beta/models/plain-1:${call}`, body, { "x-goog-api-key": token }];
    }
  }
}
