import { diffComm } from 'node-diff3';
import { useMemo } from 'react';
import { useWords } from '#kernel';
import type { Words } from '#shared/text';
import type { CodeFile } from '../contract.ts';
import styles from './codegen.module.css';
import { codeWords } from './words.ts';

interface Line {
  readonly text: string | Words;
  /** `!`: what is said of the lines that follow. */
  readonly mark: '+' | '-' | ' ' | '!';
  /** Of a conflict: who has written it so. */
  readonly side?: Side;
}
type Side = 'mine' | 'theirs' | undefined;

/** How the sides of a conflict are parted in the file, and what is said instead. */
const parts: readonly [begins: string, after: Side, side: Side, words: Words][] = [
  ['<<<<<<< by hand', undefined, 'mine', codeWords.byHand],
  ['=======', 'mine', 'theirs', codeWords.byGenerator],
  ['>>>>>>> generated', 'theirs', undefined, codeWords.conflictEnds],
];

/** A file as it would be written, with what is new in it and what is gone; where it conflicts, with both sides. */
export function FileDiff({ of: { path, current, text, state } }: { readonly of: CodeFile }) {
  const say = useWords();
  const lines = useMemo(() => {
    const all = linesOf(current, text);
    return state === 'conflict' ? withSides(all) : all;
  }, [current, text, state]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever scrolls by keyboard must get there
    <section className={styles.diff} tabIndex={0} aria-label={path}>
      <pre>
        {lines.map(({ text: line, mark, side }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <span key={place} className={styles.diffLine} data-mark={mark} data-side={side}>
            {`${mark} ${typeof line === 'string' ? line : say(line)}\n`}
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

function withSides(lines: readonly Line[]): Line[] {
  let side: Side;
  return lines.map((line) => {
    const part = parts.find(([begins, after]) => side === after && String(line.text).startsWith(begins));
    if (!part) return side ? { ...line, mark: ' ', side } : line;
    side = part[2];
    return { text: part[3], mark: '!' };
  });
}
