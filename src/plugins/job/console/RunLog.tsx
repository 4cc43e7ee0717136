import { useEffect, useRef, useState } from 'react';
import { Http, useService, useTranslation } from '#kernel';
import { jobInstance, openRunStates, type RunLogLine } from '../run-contract.ts';
import styles from './job.module.css';
import { jobMessages } from './messages.ts';

const pollMs = 1500;
/** Maximum of lines shown; the oldest lines are dropped. */
const maxLines = 5000;

interface RunLogView {
  readonly lines: readonly RunLogLine[];
  readonly state: number | undefined;
  readonly hasFailed: boolean;
  readonly isElsewhere?: boolean;
}

/** Shows the log of a run and follows it while the run writes. */
export function RunLog({ runId }: { readonly runId: string }) {
  const t = useTranslation();
  const { lines, state, hasFailed, isElsewhere } = useLogLines(runId);
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines trigger the scrolling
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  const isOver = state !== undefined && !openRunStates.has(state);
  return (
    <div className={styles.log}>
      <p className={styles.status} role="status">
        {t(hasFailed ? jobMessages.logFailed : isElsewhere ? jobMessages.logOnPowerJob : isOver ? jobMessages.runEnded : jobMessages.following)}
      </p>
      <ol
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area has to be reachable by keyboard
        tabIndex={0}
        aria-label={t(jobMessages.runLog)}
        className={styles.lines}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 20;
        }}
      >
        {lines.length === 0 && <li className={styles.none}>{t(isOver || isElsewhere ? jobMessages.noLines : jobMessages.waitingForLines)}</li>}
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

function useLogLines(id: string): RunLogView {
  const http = useService(Http);
  const [shown, setShown] = useState<RunLogView>({ lines: [], state: undefined, hasFailed: false });
  const last = useRef<string>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const poll = async () => {
      const after = last.current;
      const reply = await http.send(jobInstance.log, { id, ...(after ? { after } : {}) }, { quiet: true, signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return;
      if (!reply?.success) setShown((before) => ({ ...before, hasFailed: true }));
      else {
        const { lines, state, isElsewhere } = reply.data;
        last.current = lines.at(-1)?.id ?? after;
        setShown((before) => ({ lines: [...before.lines, ...lines].slice(-maxLines), state, isElsewhere, hasFailed: false }));
        // The last lines are written shortly after the run has ended.
        if (lines.length === 0 && !openRunStates.has(state) && (isElsewhere || after !== undefined)) return;
      }
      timer = setTimeout(() => void poll(), pollMs);
    };
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [http, id]);
  return shown;
}
