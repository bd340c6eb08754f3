// What policies say of a file that is about to land: by its name, its size and whether it is text. It knows no file, only what
// somebody found out about one.

import { checkPath, deny, type Policy, type PolicyDenied, ruleFor } from "./policy.ts";

/** A file as it is about to land; a file that goes has no bytes. */
export type LandingFile = { readonly path: string; readonly bytes: number; readonly binary: boolean };

/** Whether any policy looks at more of a file than its name. */
export function looksInside(policies: readonly Policy[]): boolean {
  const rules = ["maxFileBytes", "deniedBinary", "autoApproveMaxBytes", "autoApproveBinary"] as const;
  return rules.some((rule) => ruleFor(policies, rule) !== undefined);
}

/** Whether a file may land at all: by its name, and by what it is (LD55). */
export function checkFile(policies: readonly Policy[], file: LandingFile, foldCase: boolean): PolicyDenied | undefined {
  const denied = checkPath(policies, file.path, foldCase);
  if (denied !== undefined) return denied;
  const largest = ruleFor(policies, "maxFileBytes");
  if (typeof largest?.value === "number" && file.bytes > largest.value)
    return deny(largest.policy, "maxFileBytes", `${file.path} (${file.bytes} bytes of at most ${largest.value})`);
  const binary = ruleFor(policies, "deniedBinary");
  if (binary?.value === true && file.binary) return deny(binary.policy, "deniedBinary", `${file.path} (no text)`);
  return undefined;
}

/** Why a person has to see a file although every name is one that needs no approval; undefined where that is not so. */
export function whyNotAuto(policies: readonly Policy[], file: LandingFile): PolicyDenied | undefined {
  if (ruleFor(policies, "approvalRequired")?.value !== true) return undefined;
  const largest = ruleFor(policies, "autoApproveMaxBytes");
  if (typeof largest?.value === "number" && file.bytes > largest.value)
    return deny(largest.policy, "autoApproveMaxBytes", `${file.path} has more than ${largest.value} bytes`);
  const binary = ruleFor(policies, "autoApproveBinary");
  if (binary?.value === false && file.binary)
    return deny(binary.policy, "autoApproveBinary", `${file.path} is no text`);
  return undefined;
}
