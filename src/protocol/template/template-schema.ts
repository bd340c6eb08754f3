// The form of a template, as people write it. The published JSON schema is made of this, so every key says here what it is
// for. What only makes sense together (needs, ports, references) is looked at in check-….ts.

import { didYouMean } from "../../base/did-you-mean.ts";
import { z } from "zod";
import { faceNameCharsMax, faceNamePattern } from "../face-host.ts";
import { line, text } from "../fields.ts";
import { findGlobFlaw } from "../glob-flaw.ts";
import { limits } from "../limits.ts";
import { secretName } from "../wire/model.ts";
import {
  faceDefaults,
  faceKinds,
  generateDefaults,
  healthDefaults,
  hookDefaults,
  needKinds,
  restartDefaults,
  restartPolicies,
  stopDefaults,
  envSignals,
  stopSignals,
} from "./agent-spec.ts";
import { spellMs } from "./duration.ts";
import { assistantSection } from "./assistant-schema.ts";
import { agentLimits, serviceLimits } from "./limits-schema.ts";
import { serviceLogs } from "./logs-schema.ts";
import { egressSection, imageSection, joinSection, projectSection, workspaceSection } from "./place-schema.ts";
import { alertsSection, recoverySection } from "./recovery-schema.ts";
import { serviceSchedule } from "./schedule-schema.ts";
import { duration, form } from "./schema-parts.ts";
import { serviceData, serviceImage } from "./service-image-schema.ts";

export const templateLimits = {
  bytesMax: 65_536,
  nameCharsMax: 40,
  /** Of all services together. */
  servicesMax: 64,
  portsMax: 16,
  facesMax: 32,
  variablesMax: 64,
  generatedBytesMax: 256,
  instancesMax: 32,
  watchMax: 32,
  intervalMsMin: 100,
  intervalMsMax: 3_600_000,
  timeoutMsMin: 10,
  retriesMax: 100,
  startPeriodMsMax: 3_600_000,
  delayMsMin: 0,
  delayMsMax: 3_600_000,
  restartsMax: 1000,
  windowMsMin: 1000,
  windowMsMax: 24 * 3_600_000,
  graceMsMax: 600_000,
  hookMsMax: 3_600_000,
} as const;

/** Names of templates, services and ports. They become parts of host names. */
const namePattern = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
export const nameRule = `a name has lower case letters, digits and dashes, begins with a letter, ends with no dash, and is at most ${templateLimits.nameCharsMax} characters long`;
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const variableRule = `the name of a variable has letters, digits and underscores, begins with no digit, and is at most ${limits.nameCharsMax} characters long`;

export function isTemplateName(text: string): boolean {
  return text.length <= templateLimits.nameCharsMax && namePattern.test(text);
}

export function isVariableName(text: string): boolean {
  return text.length <= limits.nameCharsMax && variablePattern.test(text);
}

const name = z
  .string(`a name is expected: ${nameRule}`)
  .refine(isTemplateName, nameRule)
  .meta({ pattern: namePattern.source, maxLength: templateLimits.nameCharsMax });

/** Names as keys: the reader looks at them itself, so that a bad one does not hide what is under it. */
const namesAsKeys = { propertyNames: { pattern: namePattern.source, maxLength: templateLimits.nameCharsMax } };
const variablesAsKeys = { propertyNames: { pattern: variablePattern.source, maxLength: limits.nameCharsMax } };

const plainWord = [text(limits.argCharsMax), z.number(), z.boolean()] as const;
const word = z.union(plainWord, "a text is expected");

const command = z
  .union(
    [
      text().min(1),
      z
        .array(word)
        .min(1, "the list is empty; its first entry is the program")
        .max(limits.argvMax)
        .refine(([program]) => program !== "", "the first entry is the program; it is not empty"),
    ],
    "a command is a text for the shell, or a list of the program and its arguments",
  )
  .describe("A text, which /bin/sh reads, or a list of the program and its arguments. May name ports: ${self.port}.");

const tooManyVariables = `there may be ${templateLimits.variablesMax} variables at most`;
const fewVariables = (env: object): boolean => Object.keys(env).length <= templateLimits.variablesMax;

const generated = z
  .strictObject({
    generate: z.literal("hex", "only hex can be generated").describe("hex: random bytes, two digits each."),
    bytes: z
      .int()
      .min(1)
      .max(templateLimits.generatedBytesMax)
      .optional()
      .meta({ default: generateDefaults.bytes })
      .describe("How many random bytes."),
  })
  .describe("Made up once, when an agent is made; every agent has its own.");

/** What is kept of a secret in a template, a log and an answer: its name. */
const secret = z
  .strictObject({
    secret: secretName.describe("The name of a secret that the daemon keeps: signalbox secret set NAME."),
  })
  .describe("The value of a secret, looked up whenever a service starts.");

const variables = form("variables are an object such as { NAME: value }");

const agentEnv = z
  .record(
    z.string(),
    z.union([...plainWord, generated, secret], "a text is expected, { generate: hex } or { secret: NAME }"),
    variables,
  )
  .refine(fewVariables, tooManyVariables)
  .describe("Variables that every service sees. Texts are kept in plain.")
  .meta(variablesAsKeys);

const serviceEnv = z
  .record(
    z.string(),
    z.union(
      [...plainWord, secret],
      "a text is expected, or { secret: NAME }; what is generated stands in env at the top",
    ),
    variables,
  )
  .refine(fewVariables, tooManyVariables)
  .describe("Variables of this service, put over those at the top. Texts are kept in plain.")
  .meta(variablesAsKeys);

const httpPath = line(limits.argCharsMax).regex(/^\//, "the path of a check begins with /");

const probeKinds = ["http", "tcp", "command", "log"] as const;
const oneProbe = `a health check is one of ${probeKinds.join(", ")}`;

const health = z
  .strictObject(
    {
      http: z
        .union(
          [
            httpPath,
            z.strictObject({
              port: name.describe("The name of the port that is asked."),
              path: httpPath.optional().meta({ default: "/" }).describe("The path that is asked for."),
            }),
          ],
          "a path such as /health is expected, or { port, path }",
        )
        .optional()
        .describe("Well while an answer below 400 comes. A path, asked at the only port; or the port and the path."),
      tcp: name.optional().describe("The name of a port. Well while a connection can be made."),
      command: command.optional().describe("Well while it ends with 0. May name ports."),
      log: text(limits.argCharsMax)
        .min(1)
        .optional()
        .describe("Well from the first line of its output that contains this text."),
      interval: duration("From one check to the next.", {
        minMs: templateLimits.intervalMsMin,
        maxMs: templateLimits.intervalMsMax,
      })
        .optional()
        .meta({ default: spellMs(healthDefaults.intervalMs) }),
      timeout: duration("How long a check may take; not longer than the interval.", {
        minMs: templateLimits.timeoutMsMin,
        maxMs: templateLimits.intervalMsMax,
      })
        .optional()
        .meta({ default: spellMs(healthDefaults.timeoutMs) }),
      retries: z
        .int()
        .min(1, "at least one check has to fail until it counts as unhealthy")
        .max(templateLimits.retriesMax)
        .optional()
        .meta({ default: healthDefaults.retries })
        .describe("So many checks in a row have to fail until it counts as unhealthy."),
      start_period: duration("How long after its start failed checks do not count.", {
        minMs: 0,
        maxMs: templateLimits.startPeriodMsMax,
      })
        .optional()
        .meta({ default: spellMs(healthDefaults.startPeriodMs) }),
    },
    form(oneProbe),
  )
  .describe("How to see that it is well.")
  .meta({ oneOf: probeKinds.map((kind) => ({ required: [kind] })) });

const restartPolicy = z.enum(restartPolicies, `it is one of ${restartPolicies.join(", ")}`);
const delayRange = { minMs: templateLimits.delayMsMin, maxMs: templateLimits.delayMsMax };

const restart = z
  .union(
    [
      restartPolicy,
      z.strictObject({
        policy: restartPolicy
          .optional()
          .meta({ default: restartDefaults.policy })
          .describe("always, on-failure (it ended with anything but 0), or never."),
        delay: duration("The first restart waits so long, each further one twice as long.", delayRange)
          .optional()
          .meta({ default: spellMs(restartDefaults.delayMs) }),
        max_delay: duration("The longest that a restart waits.", delayRange)
          .optional()
          .meta({ default: spellMs(restartDefaults.delayMsMax) }),
        limit: z
          .int()
          .min(1, "at least one restart; for none write the policy never")
          .max(templateLimits.restartsMax)
          .optional()
          .meta({ default: restartDefaults.limit })
          .describe("So many restarts within the window are tried; then more than this service is begun anew."),
        window: duration("The time in which restarts are counted.", {
          minMs: templateLimits.windowMsMin,
          maxMs: templateLimits.windowMsMax,
        })
          .optional()
          .meta({ default: spellMs(restartDefaults.windowMs) }),
      }),
    ],
    `it is ${restartPolicies.join(", ")}, or an object with policy, delay, max_delay, limit and window`,
  )
  .describe("Whether it is started again when it ends: a policy alone, or with its limits.")
  .meta({ default: restartDefaults.policy });

/** Signals have no SIG in front here. */
function meantSignal(said: unknown): string {
  return typeof said === "string" ? didYouMean(said.toUpperCase().replace(/^SIG/, ""), stopSignals) : "";
}

const stop = z
  .strictObject(
    {
      signal: z
        .enum(stopSignals, { error: ({ input }) => `it is one of ${stopSignals.join(", ")}.${meantSignal(input)}` })
        .optional()
        .meta({ default: stopDefaults.signal })
        .describe("What asks it to end."),
      grace: duration("How long it has then, until it is killed.", { minMs: 0, maxMs: templateLimits.graceMsMax })
        .optional()
        .meta({ default: spellMs(stopDefaults.graceMs) }),
    },
    form("it is an object such as { signal: INT, grace: 10s }"),
  )
  .describe("How it is ended.");

const need = z.enum(needKinds, `it is one of ${needKinds.join(", ")}`);

const folder = line(limits.pathCharsMax)
  .refine((value) => !value.startsWith("/"), "a folder is relative to the workspace: it has no slash in front")
  .refine((value) => !value.split("/").includes(".."), "a folder lies inside the workspace: it has no .. in it")
  .optional()
  .meta({ default: "." });

const watchGlob = line(limits.patternCharsMax).superRefine((glob, context) => {
  const flaw = findGlobFlaw(glob);
  if (flaw !== undefined) context.addIssue({ code: "custom", message: flaw, input: glob });
});

const serviceSchema = z
  .strictObject(
    {
      command: command.optional(),
      image: serviceImage.optional(),
      entrypoint: z
        .array(word, form("it is a list of the program and its arguments"))
        .max(limits.argvMax)
        .optional()
        .describe(
          "What comes before the command in place of what the image says: the program and its arguments; an empty list for nothing.",
        ),
      data: serviceData.optional(),
      workspace: z
        .boolean()
        .optional()
        .meta({ default: false })
        .describe("Whether a service with an image sees the workspace, at the project's own path."),
      cwd: folder.describe("The folder of the workspace that it starts in."),
      env: serviceEnv.optional(),
      env_signal: z
        .enum(envSignals, `it is one of ${envSignals.join(", ")}`)
        .optional()
        .describe(
          "Its variables, but for secrets, are in a file too, which SIGNALBOX_ENV_FILE names. When a reload changes them, the file is written anew and it gets this signal, instead of a restart.",
        ),
      ports: z
        .array(name, form("ports are a list of names, such as [http]"))
        .max(templateLimits.portsMax)
        .optional()
        .meta({ uniqueItems: true })
        .describe("Names of its ports. Each gets a number that nobody else on the machine has."),
      depends_on: z
        .union(
          [z.array(z.string()), z.record(z.string(), need).meta(namesAsKeys)],
          "a list of services is expected, or an object such as { db: healthy }",
        )
        .optional()
        .describe(
          "What has to be so far before it begins: a list (started), or each with started, healthy or completed. Application services need every external one, healthy where it has a health check, unless they name it.",
        ),
      health: health.optional(),
      restart: restart.optional(),
      stop: stop.optional(),
      limits: serviceLimits.optional(),
      logs: serviceLogs.optional(),
      instances: z
        .int()
        .min(1)
        .max(templateLimits.instancesMax)
        .optional()
        .meta({ default: 1 })
        .describe("How many of it run side by side; callers of its ports are shared out among those that are well."),
      overlap: z
        .boolean()
        .optional()
        .meta({ default: false })
        .describe("At a restart the new one is well before the old one goes. Needs a health check."),
      schedule: serviceSchedule.optional(),
      watch: z
        .array(watchGlob, form("it is a list of globs, such as [src/**]"))
        .min(1, "the list is empty; name files, such as src/**")
        .max(templateLimits.watchMax)
        .optional()
        .describe("Files of the workspace, as globs: when one of them changes, it is begun anew."),
    },
    form("a service is an object with a command or an image"),
  )
  .meta({ id: "templateService", anyOf: [{ required: ["command"] }, { required: ["image"] }] });

const services = z
  .record(z.string(), serviceSchema, form("services are an object: each has its name in front, and its command below"))
  .meta(namesAsKeys);

/** Nothing that a browser could take for another host. */
const facePath = line(limits.argCharsMax).regex(
  /^\/(?![/\\])[!-~]*$/,
  "what opens is a path that begins with one slash, in plain letters without spaces",
);

const faceSchema = z.strictObject(
  {
    service: name.describe("The service that answers."),
    port: name.optional().describe("The name of its port; may be left out where it has only one."),
    path: facePath.optional().meta({ default: faceDefaults.path }).describe("What opens."),
    kind: z
      .enum(faceKinds, `it is one of ${faceKinds.join(", ")}`)
      .optional()
      .meta({ default: faceDefaults.kind })
      .describe("web: a page for browsers. mcp: an MCP endpoint for programs."),
    title: line(limits.titleCharsMax).optional().describe("What people read in lists."),
  },
  form("a face is an object such as { service: web }"),
);

const faces = z
  .record(z.string(), faceSchema, form("faces are an object: each has its name in front, and its service below"))
  .describe("Web pages and MCP endpoints of services, each on a host name of its own: <agent>-<face>.localhost.")
  .meta({ propertyNames: { pattern: faceNamePattern.source, maxLength: faceNameCharsMax } });

const hook = (when: string): z.ZodType<HookSaid> =>
  z
    .union(
      [
        command,
        z.strictObject({
          command,
          cwd: folder.describe("The folder of the workspace that it starts in."),
          timeout: duration("How long it may take.", { minMs: 1000, maxMs: templateLimits.hookMsMax })
            .optional()
            .meta({ default: spellMs(hookDefaults.timeoutMs) }),
        }),
      ],
      "a hook is a command, or an object such as { command: npm ci, timeout: 5m }",
    )
    .describe(when);

type Command = z.output<typeof command>;
export type HookSaid = Command | { command: Command; cwd?: string | undefined; timeout?: string | undefined };

const hooks = z
  .strictObject(
    {
      setup: hook("Run once, when the workspace is there and before any service starts.").optional(),
      ready: hook("Run each time when the agent has come up.").optional(),
      archive: hook("Run before the agent is archived, while its services are still there.").optional(),
    },
    form("hooks are an object such as { setup: npm ci }"),
  )
  .describe("Commands of the agent's own.");

export const templateSchema = z
  .strictObject({
    template: name.describe("The name of the template."),
    project: projectSection.optional(),
    workspace: workspaceSection.optional(),
    env: agentEnv.optional(),
    limits: agentLimits.optional(),
    external: services
      .optional()
      .describe("What the application stands on: databases, queues. They come first and go last."),
    services: services.optional().describe("The application's own services."),
    faces: faces.optional(),
    hooks: hooks.optional(),
    assistant: assistantSection.optional(),
    join: joinSection.optional(),
    egress: egressSection.optional(),
    image: imageSection.optional(),
    recovery: recoverySection.optional(),
    alerts: alertsSection.optional(),
  })
  .describe("The recipe of an agent: the services that live in it, and how they are kept alive.");

export type Template = z.output<typeof templateSchema>;
export type TemplateService = z.output<typeof serviceSchema>;
export type TemplateFace = z.output<typeof faceSchema>;
