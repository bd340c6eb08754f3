import { type ReactNode, useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import type { IconName } from "./icon-shapes.tsx";

const copiedMs = 1600;

/** A command line to copy: what the page does, a terminal can do too. */
export function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <span className="command">
      <code tabIndex={0} role="group" aria-label="Command">
        <span className="dim" aria-hidden="true">
          ${" "}
        </span>
        {text}
      </code>
      <CopyButton text={text} label="Copy the command" />
    </span>
  );
}

export function CopyButton(props: {
  readonly text: string;
  readonly label: string;
  /** Where two of them stand side by side, what each is for. */
  readonly icon?: IconName;
}): ReactNode {
  const { text, label, icon = "copy" } = props;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    void copyText(text).then(setCopied);
  };
  return <IconButton icon={copied ? "check" : icon} label={copied ? "Copied" : label} size="small" onClick={copy} />;
}

/** Answers whether it worked: a page that is not in front may not write to the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
