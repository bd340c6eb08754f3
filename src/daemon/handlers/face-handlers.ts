// Faces of agents: which there are, and how to get in.

import { ok } from "../../base/result.ts";
import { compareIds } from "../../core/step.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { faceOperations } from "../../protocol/operations/face.ts";
import type { Handlers } from "../context.ts";
import { facesOf, findAgent, stateOfService, toFaceView } from "../views/agent-view.ts";

export const faceHandlers: Handlers<keyof typeof faceOperations> = {
  "face.list": (context, { agent: ref }, _caller, reply) =>
    context.read((state) => {
      const agents = ref === undefined ? [...state.agents.values()] : [findAgent(state, ref)];
      const faces = agents
        .toSorted((a, b) => compareIds(a.id, b.id))
        .flatMap((agent) =>
          facesOf(agent).map((face) => ({
            ...{ agent: agent.name, agentId: agent.id, ...toFaceView(context.facts.faces, agent, face) },
            state: stateOfService(agent, face.service),
          })),
        );
      return { faces };
    }, reply),
  "face.open": (context, { agent: ref, face: name }, _caller, reply) => {
    const agent = findAgent(context.state, ref);
    const face = agent.spec.faces.find((each) => each.name === name);
    if (face === undefined) throw protocolError("not-found", { kind: "face", id: `${agent.name}/${name}` });
    reply(ok(context.facts.faces.open(agent, face)));
  },
};
