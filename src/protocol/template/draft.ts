// The services of a template as a list, with what can be asked about them while it is being checked.

import type { Path } from "./problem.ts";
import type { Shape } from "./check-shape.ts";
import type { TemplateFace, TemplateService } from "./template-schema.ts";
import { restartDefaults, type RestartRule } from "./agent-spec.ts";

export type DraftService = {
  readonly name: string;
  readonly kind: "external" | "application";
  readonly path: Path;
  readonly said: TemplateService;
  /** Whether a part of it stands there as it was written. */
  readonly isSure: (field: keyof TemplateService, part?: string) => boolean;
};

export type DraftFace = {
  readonly name: string;
  readonly path: Path;
  readonly said: TemplateFace;
  readonly isSure: (field: keyof TemplateFace) => boolean;
};

export type Draft = {
  readonly faces: readonly DraftFace[];
  readonly services: readonly DraftService[];
  readonly byName: ReadonlyMap<string, DraftService>;
  /** Whether these are all services that were written. */
  readonly isWhole: boolean;
};

const sections = { external: "external", services: "application" } as const;

export function toDraft({ template, isSure, isCut }: Shape): Draft {
  const services = (["external", "services"] as const).flatMap((section) =>
    Object.entries(template[section] ?? {}).map(([name, said]) => ({
      name,
      kind: sections[section],
      path: [section, name],
      said,
      isSure: (field: keyof TemplateService, part?: string) =>
        isSure(section, name, field, ...(part === undefined ? [] : [part])),
    })),
  );
  const faces = Object.entries(template.faces ?? {}).map(([name, said]) => ({
    name,
    path: ["faces", name],
    said,
    isSure: (field: keyof TemplateFace) => isSure("faces", name, field),
  }));
  // Of two that share a name, the first is meant; that there are two is told elsewhere.
  const byName = new Map(services.toReversed().map((service) => [service.name, service]));
  return { services, faces, byName, isWhole: !isCut("external") && !isCut("services") };
}

/** What comes again by itself is not started again in between, unless somebody says so. */
export function policyOf({ restart, schedule }: TemplateService): RestartRule["policy"] {
  const said = typeof restart === "string" ? restart : restart?.policy;
  return said ?? (schedule === undefined ? restartDefaults.policy : "never");
}
