// What is left of those who are gone.

import type { auditOperations } from "../../protocol/operations/audit.ts";
import type { Context, Handlers } from "../context.ts";

export const auditHandlers: Handlers<keyof typeof auditOperations> = {
  audit: (context, _input, _caller, reply) => {
    const looked = context.parts.audit.look().then((findings) => ({ ...headOf(context), findings }));
    context.later(looked, reply);
  },
  "audit.reap": (context, _input, _caller, reply) => {
    const reaped = context.parts.audit.reap().then((findings) => ({ ...headOf(context), findings }));
    context.later(reaped, reply);
  },
};

function headOf({ parts }: Context): { home: string; atMs: number } {
  return { home: parts.home, atMs: parts.clock.wallMs() };
}
