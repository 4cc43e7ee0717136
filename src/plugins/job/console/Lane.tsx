import { type KeyboardEvent, useState } from 'react';
import { useWords } from '#kernel';
import type { TimelineLane } from '../timeline-contract.ts';
import styles from './calendar.module.css';
import { type Mark, marksOf } from './marks.ts';
import { words } from './words.ts';

interface LaneProps {
  readonly lane: TimelineLane;
  readonly from: string;
  readonly to: string;
  readonly onOpen: (mark: Mark) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** One job on its line. The arrows go from mark to mark, so that a line is one stop of the tab key. */
export function Lane({ lane, from, to, onOpen }: LaneProps) {
  const say = useWords();
  const marks = marksOf(lane, from, to);
  const [reached, reach] = useState(0);
  const stop = Math.min(reached, marks.length - 1);
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'Home' ? -stop : event.key === 'End' ? marks.length - 1 - stop : steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(marks.length - 1, stop + by));
    reach(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line of marks that the arrows go along, not a set of fields
    <div className={styles.line} role="group" aria-label={lane.jobName} onKeyDown={step}>
      {marks.map((mark, place) => {
        const title = say(wordsOf(mark), { from: mark.from.slice(5, 16), runs: mark.runs.length, failed: mark.failed, due: mark.fires.length });
        return (
          <button
            key={mark.place}
            type="button"
            title={title}
            className={styles.mark}
            data-kind={mark.failed > 0 ? 'failed' : mark.runs.length > 0 ? 'ran' : 'due'}
            style={{ insetInlineStart: `${mark.place}%` }}
            tabIndex={place === stop ? 0 : -1}
            aria-label={title}
            onFocus={() => reach(place)}
            onClick={() => onOpen(mark)}
          />
        );
      })}
    </div>
  );
}

const wordsOf = ({ runs, fires }: Mark) => (runs.length === 0 ? words.onlyDue : fires.length === 0 ? words.onlyRuns : words.both);
