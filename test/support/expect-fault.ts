import { expect } from "vitest";
import { Fault } from "../../src/base/fault.ts";

/** Expects that the world said no: with this code, and with this text somewhere in its sentence. */
export async function expectFault(promise: Promise<unknown>, code: string, text = ""): Promise<void> {
  const error = await promise.then(
    () => new Error("there was no fault"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Fault);
  const { code: found, message } = error as Fault;
  expect(found).toBe(code);
  expect(message).toContain(text);
}
