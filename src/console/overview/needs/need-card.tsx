import { memo, type ReactNode } from "react";
import { toBytes, toMany } from "../../model/format.ts";
import { type Need, reviewReasonOf } from "../../model/needs.ts";
import { Icon } from "../../parts/icon.tsx";
import { Since } from "../../parts/times.tsx";
import { ActButtons } from "../../run/act-buttons.tsx";
import { AnswerBox } from "../../run/answer-box.tsx";
import { Key } from "../../parts/key.tsx";
import { Link, RunLink, toRunPage } from "../../shell/link.tsx";
import { useSelection } from "../../shell/selection.tsx";

const kinds = { question: { word: "Question", icon: "awaiting" }, review: { word: "Review", icon: "review" } } as const;

export const NeedCard = memo(function NeedCard({ need }: { readonly need: Need }): ReactNode {
  const { run, kind, frees } = need;
  const { selected, select } = useSelection();
  const { word, icon } = kinds[kind];
  const isSelected = selected === run.id;
  const why = reviewReasonOf(run);
  return (
    <article
      className="need"
      tabIndex={-1}
      data-need
      data-run={run.id}
      aria-current={isSelected}
      aria-label={`${word}: ${run.title}`}
      onFocus={() => select(run.id)}
      onClick={() => select(run.id)}
    >
      <div className="need-head">
        <span className="kind a-you">
          <Icon name={icon} />
          {word}
        </span>
        <RunLink id={run.id} />
        <span className="need-project">{run.projectName}</span>
        <Since atMs={run.sinceMs} />
      </div>
      {kind === "question" ? (
        <>
          <p className="need-what">{run.question?.text}</p>
          <p className="need-meta">
            {run.title}
            <Frees count={frees} />
          </p>
          <AnswerBox run={run} primary={isSelected} />
        </>
      ) : (
        <>
          <p className="need-what">{run.title}</p>
          {why === null ? null : <p className="need-why">{why}</p>}
          <p className="need-meta">
            {toMany(run.filesChanged, "file")}, {toBytes(run.bytesWritten)}
            <Frees count={frees} />
          </p>
          <div className="acts">
            <Link to={toRunPage(run.id)} className={`btn small ${isSelected ? "primary" : "plain"}`}>
              Review <Key>O</Key>
            </Link>
            <ActButtons run={run} only={["approve", "return", "reject"]} primary={false} />
          </div>
        </>
      )}
    </article>
  );
});

function Frees({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return (
    <span className="frees a-wait">
      <Icon name="blocked" />
      {count === 1 ? "1 waits" : `${count} wait`}
    </span>
  );
}
