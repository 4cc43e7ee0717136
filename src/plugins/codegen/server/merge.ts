import { merge } from 'node-diff3';
import type { CodeFile } from '../contract.ts';

/** Input of a three-way merge of one generated file. */
export interface MergeInput {
  readonly path: string;
  /** Content that the previous generation wrote, if known. */
  readonly base: string | undefined;
  /** Content on disk, which may have manual edits; undefined if the file does not exist. */
  readonly mine: string | undefined;
  /** Content that the generator produces now. */
  readonly theirs: string;
}

const lineBreak = /\n/;

/** Merges manual edits with newly generated code. Lines that both have changed become a conflict with Git markers or, with `keepMine`, keep the manual edit. */
export function mergeFile({ path, base, mine, theirs }: MergeInput, keepMine = false): CodeFile {
  const toFile = (state: CodeFile['state'], text: string): CodeFile => ({ path, state, current: mine ?? null, text });
  if (mine === undefined) return toFile('new', theirs);
  if (mine === theirs) return toFile('same', mine);
  if (base === undefined) return mergeWithoutBase(toFile, { mine, theirs, keepMine });
  if (base === mine) return toFile('changed', theirs);
  if (base === theirs) return toFile('same', mine);
  const { conflict, result } = merge(mine, base, theirs, { stringSeparator: lineBreak, excludeFalseConflicts: true, label: { a: 'by hand', b: 'generated' } });
  const text = result.join('\n');
  if (!conflict) return toFile('merged', text);
  return keepMine ? toFile('merged', resolveWithMine(result).join('\n')) : toFile('conflict', text);
}

/** Handles a file without a known base. Its whole content counts as a manual edit: a conflict, or unchanged with `keepMine`. */
function mergeWithoutBase(
  toFile: (state: CodeFile['state'], text: string) => CodeFile,
  { mine, theirs, keepMine }: { mine: string; theirs: string; keepMine: boolean },
): CodeFile {
  return keepMine ? toFile('same', mine) : toFile('conflict', `<<<<<<< by hand\n${mine}=======\n${theirs}>>>>>>> generated\n`);
}

/** Resolves each conflict with the manual edit and removes the markers. */
function resolveWithMine(lines: readonly string[]): string[] {
  let side: 'both' | 'mine' | 'theirs' = 'both';
  return lines.filter((line) => {
    if (line.startsWith('<<<<<<< by hand')) side = 'mine';
    else if (side === 'mine' && line.startsWith('=======')) side = 'theirs';
    else if (side === 'theirs' && line.startsWith('>>>>>>> generated')) side = 'both';
    else return side !== 'theirs';
    return false;
  });
}
