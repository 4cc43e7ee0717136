import { diffComm } from 'node-diff3';
import { useMemo } from 'react';
import { useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import type { CodeFile } from '../contract.ts';
import styles from './codegen.module.css';
import { codeMessages } from './messages.ts';

interface Line {
  readonly text: string | LocalizedText;
  /** `!` marks a caption for the lines that follow. */
  readonly mark: '+' | '-' | ' ' | '!';
  /** Side of a conflict the line belongs to. */
  readonly side?: Side;
}
type Side = 'mine' | 'theirs' | undefined;

/** Conflict markers in the file, with the captions shown in their place. */
const parts: readonly [begins: string, after: Side, side: Side, words: LocalizedText][] = [
  ['<<<<<<< by hand', undefined, 'mine', codeMessages.byHand],
  ['=======', 'mine', 'theirs', codeMessages.byGenerator],
  ['>>>>>>> generated', 'theirs', undefined, codeMessages.conflictEnds],
];

/** Shows a file with added and removed lines; a conflict shows both sides. */
export function FileDiff({ of: { path, current, text, state } }: { readonly of: CodeFile }) {
  const t = useTranslation();
  const lines = useMemo(() => {
    const all = linesOf(current, text);
    return state === 'conflict' ? withSides(all) : all;
  }, [current, text, state]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area has to be reachable by keyboard
    <section className={styles.diff} tabIndex={0} aria-label={path}>
      <pre>
        {lines.map(({ text: line, mark, side }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity other than their index
          <span key={index} className={styles.diffLine} data-mark={mark} data-side={side}>
            {`${mark} ${typeof line === 'string' ? line : t(line)}\n`}
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
