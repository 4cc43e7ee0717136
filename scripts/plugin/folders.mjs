/** Moves several folders together or not at all, so that no half of a plugin is left behind. */
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../prepare.mjs';

/** Runs `work` with a new empty folder of this project and removes the folder afterwards. */
export async function withWorkFolder(work) {
  const folder = mkdtempSync(join(root, '.plugin-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Moves each `{ from, to }`, then runs `complete`. On failure the moved folders are moved back and the error is thrown. */
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

/** Moves a folder by renaming or else by copying: other disks cannot be renamed to, and Windows refuses to rename a folder with an open file. */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EACCES', 'EBUSY'].includes(error.code)) throw error;
    try {
      cpSync(from, to, { recursive: true });
      rmSync(from, { recursive: true, force: true, maxRetries: 5 });
    } catch (failure) {
      // The copy still has all files, including those of the original that could not be deleted.
      cpSync(to, from, { recursive: true });
      rmSync(to, { recursive: true, force: true });
      throw failure;
    }
  }
}
