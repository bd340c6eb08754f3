import { z } from "zod";
import { text } from "../fields.ts";
import { limits } from "../limits.ts";

/** Variables of a program, by their names. */
export const envSchema = z
  .record(
    z
      .string()
      .max(limits.nameCharsMax)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name has letters, digits and underscores"),
    text(limits.argCharsMax),
  )
  .refine((env) => Object.keys(env).length <= 64, "there may be 64 variables at most");
