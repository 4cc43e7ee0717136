import { useEffect, useRef, useState } from 'react';
import { Http, useService, useWords } from '#kernel';
import { jobInstance, type RunLogLine, runStates } from '../run-contract.ts';
import styles from './job.module.css';
import { words } from './words.ts';

const askEvery = 1500;
/** What is shown at most; the oldest lines give way. */
const mostLines = 5000;
const open: ReadonlySet<number> = new Set([runStates.waiting, runStates.running]);

interface Shown {
  readonly lines: readonly RunLogLine[];
  readonly state: number | undefined;
  readonly hasFailed: boolean;
  readonly isElsewhere?: boolean;
}

/** What a run says, line after line while it says it. */
export function RunLog({ of }: { readonly of: string }) {
  const say = useWords();
  const { lines, state, hasFailed, isElsewhere } = useLines(of);
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more lines are what it goes on for
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  const isOver = state !== undefined && !open.has(state);
  return (
    <div className={styles.log}>
      <p className={styles.standing} role="status">
        {say(hasFailed ? words.logFailed : isElsewhere ? words.elsewhere : isOver ? words.over : words.follows)}
      </p>
      <ol
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        tabIndex={0}
        aria-label={say(words.runLog)}
        className={styles.lines}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 20;
        }}
      >
        {lines.length === 0 && <li className={styles.none}>{say(isOver || isElsewhere ? words.noLines : words.waitsForLines)}</li>}
        {lines.map(({ id, time, level, text }) => (
          <li key={id} data-level={level}>
            <time>{time.slice(11)}</time>
            <span className={styles.level}>{level}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function useLines(id: string): Shown {
  const http = useService(Http);
  const [shown, show] = useState<Shown>({ lines: [], state: undefined, hasFailed: false });
  const last = useRef<string>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const after = last.current;
      const answer = await http.send(jobInstance.log, { id, ...(after ? { after } : {}) }, { quiet: true, signal: leaving.signal }).catch(() => undefined);
      if (leaving.signal.aborted) return;
      if (!answer?.success) show((before) => ({ ...before, hasFailed: true }));
      else {
        const { lines, state, isElsewhere } = answer.data;
        last.current = lines.at(-1)?.id ?? after;
        show((before) => ({ lines: [...before.lines, ...lines].slice(-mostLines), state, isElsewhere, hasFailed: false }));
        // The last lines are written a moment after the run has ended.
        if (lines.length === 0 && !open.has(state) && (isElsewhere || after !== undefined)) return;
      }
      timer = setTimeout(() => void ask(), askEvery);
    };
    void ask();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [http, id]);
  return shown;
}
