// From a label of a host name to the face that is called so.

import { byName } from "../../core/agent/agent-decide.ts";
import type { FaceSpec } from "../../core/agent/agent-spec.ts";
import { type Agent, portKey } from "../../core/agent/agent-state.ts";
import type { State } from "../../core/state.ts";
import { parseFaceLabel } from "../../protocol/face-host.ts";

export type FoundFace = { readonly agent: Agent; readonly face: FaceSpec };

export function findFace(state: State, label: string): FoundFace | undefined {
  const place = parseFaceLabel(label);
  const agent = place === undefined ? undefined : byName(state, place.agent);
  const face = agent?.spec.faces.find(({ name }) => name === place?.face);
  return agent === undefined || face === undefined ? undefined : { agent, face };
}

/** The port of the machine that leads to it. Undefined while its agent has no place: then somebody else may have it. */
export function portOf({ agent, face }: FoundFace): number | undefined {
  return agent.isMade ? agent.ports.get(portKey(face.service, face.port)) : undefined;
}
