// The contract itself says which fields an operation has. It is read once, when a form is wanted.

import { useEffect, useState } from "react";
import type { OperationName } from "../../protocol/operations.ts";
import { type Field, type JsonSchema, toFields } from "../model/form-fields.ts";

type Described = {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } };
};
type Contract = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

let reading: Promise<Contract> | undefined;

export function useFields(operation: OperationName): {
  readonly fields: readonly Field[] | null;
  readonly trouble: string | null;
  readonly again: () => void;
} {
  const [answer, setAnswer] = useState<Answer>({ fields: null, trouble: null });
  useEffect(() => {
    let isGone = false;
    readInto(operation, (next) => {
      if (!isGone) setAnswer(next);
    });
    return () => {
      isGone = true;
    };
  }, [operation]);
  return { ...answer, again: () => readInto(operation, setAnswer) };
}

type Answer = { readonly fields: readonly Field[] | null; readonly trouble: string | null };

function readInto(operation: OperationName, set: (answer: Answer) => void): void {
  reading ??= readContract();
  reading.then(
    (contract) => set({ fields: fieldsOf(contract, operation), trouble: null }),
    (error: unknown) => {
      reading = undefined;
      set({ fields: null, trouble: error instanceof Error ? error.message : String(error) });
    },
  );
}

async function readContract(): Promise<Contract> {
  const answer = await fetch("/openapi.json");
  if (!answer.ok) throw new Error(`The daemon did not say which fields there are: it answered ${answer.status}.`);
  return (await answer.json()) as Contract;
}

/** Fields that stand in the path are fields all the same. */
function fieldsOf({ paths }: Contract, operation: OperationName): Field[] {
  const described = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === operation);
  const body = described?.requestBody?.content["application/json"].schema;
  const inPath = Object.fromEntries((described?.parameters ?? []).map(({ name, schema }) => [name, schema]));
  return toFields({
    properties: { ...inPath, ...body?.properties },
    required: [...Object.keys(inPath), ...(body?.required ?? [])],
  });
}
