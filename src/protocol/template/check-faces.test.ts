import { describe, expect, test } from "vitest";
import type { FaceSpec } from "./agent-spec.ts";
import { readTemplate } from "./read-template.ts";

const services = `services:
  web: { command: x, ports: [http, admin] }
  docs: { command: x, ports: [http] }
  worker: { command: x }`;

function read(faces: string, template = "t"): ReturnType<typeof readTemplate> {
  return readTemplate(`template: ${template}\n${services}\nfaces: ${faces}\n`, { file: "a.yaml" });
}

function facesOf(text: string): readonly FaceSpec[] {
  const answer = read(text);
  if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
  return answer.spec.faces;
}

function problemsOf(faces: string, template?: string): string[] {
  const answer = read(faces, template);
  return answer.ok ? [] : answer.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe("the faces of a template", () => {
  test("[FC1] have a service and a port of it, and defaults for the rest", () => {
    expect(facesOf("{ docs: { service: docs } }")).toEqual([
      { name: "docs", service: "docs", port: "http", path: "/", kind: "web", title: null },
    ]);
    expect(
      facesOf("{ tools: { service: web, port: admin, path: /mcp?x=1, kind: mcp, title: The tools } }"),
    ).toMatchObject([{ port: "admin", path: "/mcp?x=1", kind: "mcp", title: "The tools" }]);
  });

  test.each([
    ["{ a: { service: wbe } }", 'faces.a.service: There is no service "wbe". Did you mean web?'],
    ["{ a: { service: worker } }", "faces.a.service: The service worker has no port to answer on."],
    ["{ a: { service: web } }", "faces.a.service: The service web has several ports. Say which: port: http."],
    ["{ a: { service: web, port: htp } }", 'faces.a.port: The service web has no port "htp". Did you mean http?'],
    ["{ a-b: { service: docs } }", "faces.a-b: A face has a name of lower case letters and digits, without dashes"],
    ["{ seventeenletterss: { service: docs } }", "faces.seventeenletterss: A face has a name"],
    ["{ a: {} }", 'faces.a.service: "service" is missing here. Add it.'],
    ["{ a: { service: docs, pot: http } }", 'faces.a.pot: There is no key "pot" here. Did you mean port?'],
    ["{ a: { service: docs, kind: page } }", 'faces.a.kind: It is one of web, mcp; given was "page".'],
    ["{ a: { service: docs, path: docs } }", "faces.a.path: What opens is a path that begins with one slash"],
    ["{ a: { service: docs, path: //evil.example } }", "faces.a.path: What opens is a path that begins with one slash"],
    ['{ a: { service: docs, path: "/\\\\evil" } }', "faces.a.path: What opens is a path that begins with one slash"],
    ['{ a: { service: docs, path: "/${self.port}" } }', "faces.a.path: Nothing is filled in here"],
    ["[docs]", "faces: Faces are an object: each has its name in front"],
    ["{ a: docs }", "faces.a: A face is an object such as { service: web }"],
  ])("[FC1] %s is refused, in words", (faces, problem) => {
    expect(problemsOf(faces)).toEqual([expect.stringContaining(problem) as string]);
  });

  test("[AG2] what is wrong in one place of a face hides nothing in another", () => {
    const wrong = problemsOf("{ a-b: { service: nobody, kind: page }, c: { service: web, title: 7 } }");
    expect(wrong.map((each) => each.split(":")[0])).toEqual([
      "faces.a-b",
      "faces.a-b.service",
      "faces.a-b.kind",
      "faces.c.service",
      "faces.c.title",
    ]);
  });

  test("[FC2] a template whose agents could have no host name has none", () => {
    expect(problemsOf("{ docs: { service: docs } }", "xn--a")).toEqual([
      expect.stringContaining("cannot begin the host name of a face") as string,
    ]);
    expect(problemsOf("{}", "xn--a")).toEqual([]);
  });

  test("[FC1] there are at most 32", () => {
    const many = Array.from({ length: 33 }, (_, at) => `f${at}: { service: docs }`).join(", ");
    expect(problemsOf(`{ ${many} }`)).toEqual([expect.stringContaining("at most 32") as string]);
  });
});
