import { diffComm } from 'node-diff3';
import { useMemo } from 'react';
import type { CodeFile } from '../contract.ts';
import styles from './codegen.module.css';

interface Line {
  readonly text: string;
  readonly mark: '+' | '-' | ' ';
}

/** A file as it would be written, with what is new in it and what is gone. */
export function FileDiff({ of: { path, current, text } }: { readonly of: CodeFile }) {
  const lines = useMemo(() => linesOf(current, text), [current, text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever scrolls by keyboard must get there
    <section className={styles.diff} tabIndex={0} aria-label={path}>
      <pre>
        {lines.map(({ text: line, mark }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <span key={place} className={styles.diffLine} data-mark={mark}>
            {`${mark} ${line}\n`}
          </span>
        ))}
      </pre>
    </section>
  );
}

function linesOf(current: string | null, text: string): Line[] {
  const split = (whole: string) => whole.replace(/\n$/, '').split('\n');
  const all = (lines: readonly string[], mark: Line['mark']): Line[] => lines.map((line) => ({ text: line, mark }));
  if (current === null) return all(split(text), ' ');
  return diffComm(split(current), split(text)).flatMap((part) =>
    'common' in part ? all(part.common, ' ') : [...all(part.buffer1, '-'), ...all(part.buffer2, '+')],
  );
}
