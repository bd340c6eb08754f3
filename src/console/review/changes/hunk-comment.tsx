import { type ReactNode, useId } from "react";
import { commentKey, withComment } from "../../model/review-comments.ts";
import { Button } from "../../parts/button.tsx";
import type { Review } from "./use-review.ts";

/** What is wrong with one hunk. All of it goes back to the run in one message. */
export function HunkComment(props: {
  readonly review: Review;
  readonly path: string;
  readonly part: string;
}): ReactNode {
  const { review, path, part } = props;
  const id = useId();
  const key = commentKey(path, part);
  const text = review.comments.get(key);
  const isOpen = text !== undefined || review.commenting === key;
  if (!isOpen) {
    return (
      <Button size="small" look="ghost" icon="message" hotkey="C" onClick={() => review.comment(key)}>
        Not this
      </Button>
    );
  }
  return (
    <span className="hunk-comment">
      <label htmlFor={id} className="sr">
        What is wrong with hunk {part} of {path}
      </label>
      <textarea
        id={id}
        rows={2}
        value={text ?? ""}
        maxLength={1000}
        placeholder="What is wrong with it; it goes back to the run"
        data-comment={key}
        // Whoever opened it writes at once.
        ref={(element) => {
          if (element !== null && review.commenting === key && text === undefined) element.focus();
        }}
        onChange={({ target }) => review.setComments(withComment(review.comments, key, target.value))}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        onBlur={() => review.comment(null)}
      />
    </span>
  );
}
