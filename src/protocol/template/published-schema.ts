// The JSON schema of templates, for editors: they complete keys, show what each is for, and underline what does not fit.

import { z } from "zod";
import { templateSchema } from "./template-schema.ts";

/** Made from what the reader itself takes. In the dialect that editors know best. */
export function makeTemplateSchema(): Readonly<Record<string, unknown>> {
  return { title: "Signalbox template", ...z.toJSONSchema(templateSchema, { io: "input", target: "draft-7" }) };
}
