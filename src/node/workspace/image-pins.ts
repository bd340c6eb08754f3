// Which images an agent and its services began with, beside its workspace; what services keep of their own is there, too.

import { readdir } from "node:fs/promises";
import { join } from "node:path";

const pinName = "image.json";

/** What remembers the image of an agent. */
export function agentPinOf(agentFolder: string): string {
  return join(agentFolder, pinName);
}

export function servicesFolderOf(agentFolder: string): string {
  return join(agentFolder, "services");
}

/** What remembers the image of a service. */
export function servicePinOf(agentFolder: string, service: string): string {
  return join(servicesFolderOf(agentFolder), service, pinName);
}

/** Where what stays of a service is, if it has an image of its own (SV62). */
export function serviceDataOf(agentFolder: string, service: string): string {
  return join(servicesFolderOf(agentFolder), service, "data");
}

/** All pins that may be there. */
export async function pinsIn(agentFolder: string): Promise<string[]> {
  const names = await readdir(servicesFolderOf(agentFolder)).catch((): string[] => []);
  return [agentPinOf(agentFolder), ...names.map((name) => servicePinOf(agentFolder, name))];
}
