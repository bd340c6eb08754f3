// What is said about a command line that cannot be read: what, where, what to do.

import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core";
import { closest, didYouMean } from "../base/did-you-mean.ts";
import { toSafeLine } from "./text/safe-text.ts";

export type Known = {
  /** What could stand in the place of a word that is no command. */
  readonly commands: readonly string[];
  readonly flags: readonly string[];
};

/** The texts of the library, in our words. They are not printed by it but told, as finished sentences. */
export function makeUsageText({ commands, flags }: Known, tell: (complaint: string) => void): ApplicationText {
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input }) => {
      tell(
        input.startsWith("-")
          ? `${toSafeLine(input)} does not belong here; flags come after the command.`
          : `there is no command "${toSafeLine(input)}".${didYouMean(input, commands)}`,
      );
      return "";
    },
    exceptionWhileParsingArguments: (error) => {
      tell(toSentence(error, flags));
      return "";
    },
    exceptionWhileRunningIntegrationFlag: ({ exception }) => {
      throw exception;
    },
  };
}

function toSentence(error: unknown, flags: readonly string[]): string {
  if (!(error instanceof ArgumentScannerError)) return error instanceof Error ? error.message : String(error);
  return toSafeLine(
    formatMessageForArgumentScannerError(error, {
      FlagNotFoundError: ({ input }) => {
        const near = closest(input, flags, 2).map((name) => `--${name}`);
        return `there is no flag --${input}.${near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`}`;
      },
      AliasNotFoundError: ({ input }) => `there is no flag -${input}.`,
      ArgumentParseError: ({ externalFlagNameOrPlaceholder, input, exception }) =>
        `${nameOf(externalFlagNameOrPlaceholder)} "${input}": ${exception instanceof Error ? exception.message : String(exception)}`,
      EnumValidationError: ({ externalFlagName, input, values }) => {
        const near = closest(input, values, 1)[0];
        const choices = `it is one of ${values.join(", ")}.`;
        return `--${externalFlagName} "${input}": ${choices}${near === undefined ? "" : ` Did you mean ${near}?`}`;
      },
      UnsatisfiedFlagError: ({ externalFlagName, nextFlagName }) =>
        nextFlagName === undefined
          ? `--${externalFlagName} is missing or has no value.`
          : `--${externalFlagName} needs a value, but --${nextFlagName} came next.`,
      UnexpectedPositionalError: ({ expectedCount, input }) =>
        expectedCount === 0 ? `it takes no argument, but there is "${input}".` : `"${input}" is one argument too many.`,
      UnsatisfiedPositionalError: ({ placeholder }) => `${placeholder} is missing.`,
      UnexpectedFlagError: ({ externalFlagName, previousInput, input }) =>
        `--${externalFlagName} can be given once, and here it is both "${previousInput}" and "${input}".`,
      InvalidNegatedFlagSyntaxError: ({ externalFlagName, valueText }) =>
        `--${externalFlagName} takes no value, but got "${valueText}".`,
    }),
  );
}

/** Placeholders of arguments are in capitals; everything else is a flag. */
function nameOf(name: string): string {
  return /^[A-Z]/.test(name) ? name : `--${name}`;
}
