import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '#kernel';
import type { TimelineLane } from '../timeline-contract.ts';
import styles from './calendar.module.css';
import { words } from './messages.ts';
import { type TimelineEvent, timelineEventsOf } from './timeline-events.ts';

interface TimelineRowProps {
  readonly lane: TimelineLane;
  readonly from: string;
  readonly to: string;
  readonly onOpen: (mark: TimelineEvent) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Renders one job on the timeline. The arrow keys move between marks, so a row is a single tab stop. */
export function TimelineRow({ lane, from, to, onOpen }: TimelineRowProps) {
  const t = useTranslation();
  const marks = timelineEventsOf(lane, from, to);
  const [reached, setReached] = useState(0);
  const stop = Math.min(reached, marks.length - 1);
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'Home' ? -stop : event.key === 'End' ? marks.length - 1 - stop : steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(marks.length - 1, stop + by));
    setReached(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of marks with arrow key navigation, not a set of fields
    <div className={styles.line} role="group" aria-label={lane.jobName} onKeyDown={step}>
      {marks.map((mark, index) => {
        const title = t(wordsOf(mark), { from: mark.from.slice(5, 16), runs: mark.runs.length, failed: mark.failed, due: mark.fires.length });
        return (
          <button
            key={mark.place}
            type="button"
            title={title}
            className={styles.mark}
            data-kind={mark.failed > 0 ? 'failed' : mark.runs.length > 0 ? 'ran' : 'due'}
            style={{ insetInlineStart: `${mark.place}%` }}
            tabIndex={index === stop ? 0 : -1}
            aria-label={title}
            onFocus={() => setReached(index)}
            onClick={() => onOpen(mark)}
          />
        );
      })}
    </div>
  );
}

const wordsOf = ({ runs, fires }: TimelineEvent) => (runs.length === 0 ? words.onlyDue : fires.length === 0 ? words.onlyRuns : words.both);
