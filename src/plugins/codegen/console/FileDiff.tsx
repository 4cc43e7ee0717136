import { diffComm } from 'node-diff3';
import { useMemo } from 'react';
import { useWords } from '#kernel';
import type { Words } from '#shared/text';
import type { CodeFile } from '../contract.ts';
import styles from './codegen.module.css';
import { codeWords } from './words.ts';

interface Line {
  readonly text: string | Words;
  /** `!` marks a caption for the lines that follow. */
  readonly mark: '+' | '-' | ' ' | '!';
  /** Side of a conflict the line belongs to. */
  readonly side?: Side;
}
type Side = 'mine' | 'theirs' | undefined;

/** Conflict markers in the file, with the captions shown in their place. */
const parts: readonly [begins: string, after: Side, side: Side, words: Words][] = [
  ['<<<<<<< by hand', undefined, 'mine', codeWords.byHand],
  ['=======', 'mine', 'theirs', codeWords.byGenerator],
  ['>>>>>>> generated', 'theirs', undefined, codeWords.conflictEnds],
];

/** Shows a file with added and removed lines; a conflict shows both sides. */
export function FileDiff({ of: { path, current, text, state } }: { readonly of: CodeFile }) {
  const say = useWords();
  const lines = useMemo(() => {
    const all = linesOf(current, text);
    return state === 'conflict' ? withSides(all) : all;
  }, [current, text, state]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area has to be reachable by keyboard
    <section className={styles.diff} tabIndex={0} aria-label={path}>
      <pre>
        {lines.map(({ text: line, mark, side }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity other than their index
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
