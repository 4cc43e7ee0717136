import { merge } from 'node-diff3';
import type { CodeFile } from '../contract.ts';

/** Inputs of a three-way merge: the file as generated last, as it is now, and as generated now. */
export interface MergeInput {
  readonly path: string;
  readonly base: string | undefined;
  readonly mine: string | undefined;
  readonly theirs: string;
}

const lines = /\n/;

/** Merges manual edits with changes of the model. Lines that both have changed are a conflict, with the markers of version control. */
export function merged({ path, base, mine, theirs }: MergeInput, keepMine = false): CodeFile {
  const file = (state: CodeFile['state'], text: string): CodeFile => ({ path, state, current: mine ?? null, text });
  if (mine === undefined) return file('new', theirs);
  if (mine === theirs) return file('same', mine);
  if (base === undefined || base === mine) return base === undefined ? withoutBase(file, { mine, theirs, keepMine }) : file('changed', theirs);
  if (base === theirs) return file('same', mine);
  const { conflict, result } = merge(mine, base, theirs, { stringSeparator: lines, excludeFalseConflicts: true, label: { a: 'by hand', b: 'generated' } });
  const text = result.join('\n');
  if (!conflict) return file('merged', text);
  return keepMine ? file('merged', ownSides(result).join('\n')) : file('conflict', text);
}

/** Handles a file without a known base: its content was written manually, so it is a conflict or, with `keepMine`, stays. */
function withoutBase(
  file: (state: CodeFile['state'], text: string) => CodeFile,
  { mine, theirs, keepMine }: { mine: string; theirs: string; keepMine: boolean },
): CodeFile {
  return keepMine ? file('same', mine) : file('conflict', `<<<<<<< by hand\n${mine}=======\n${theirs}>>>>>>> generated\n`);
}

/** Removes conflict markers and keeps the first side of each conflict. */
function ownSides(marked: readonly string[]): string[] {
  let side: 'both' | 'mine' | 'theirs' = 'both';
  return marked.filter((line) => {
    if (line.startsWith('<<<<<<< by hand')) side = 'mine';
    else if (side === 'mine' && line.startsWith('=======')) side = 'theirs';
    else if (side === 'theirs' && line.startsWith('>>>>>>> generated')) side = 'both';
    else return side !== 'theirs';
    return false;
  });
}
