/** Moves folders together or not at all, so that no plugin is half there. */
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../prepare.mjs';

/** Runs `work` with an empty folder of this project, which is gone afterwards. */
export async function withWorkFolder(work) {
  const folder = mkdtempSync(join(root, '.plugin-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Moves each `{ from, to }`, then runs `complete`. Where one of them fails, what was moved is moved back and the failure is thrown. */
export async function moveTogether(moves, complete = () => undefined) {
  const done = [];
  try {
    for (const { from, to } of moves) {
      mkdirSync(dirname(to), { recursive: true });
      move(from, to);
      done.push({ from, to });
    }
    return await complete();
  } catch (error) {
    for (const { from, to } of done.reverse()) move(to, from);
    throw error;
  }
}

/** Other disks cannot be renamed to, and Windows refuses to rename a folder in which some program has a file open. */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EACCES', 'EBUSY'].includes(error.code)) throw error;
    try {
      cpSync(from, to, { recursive: true });
      rmSync(from, { recursive: true, force: true, maxRetries: 5 });
    } catch (failure) {
      // A file of the original that could not be deleted is still there, and so are the others in the copy.
      cpSync(to, from, { recursive: true });
      rmSync(to, { recursive: true, force: true });
      throw failure;
    }
  }
}
