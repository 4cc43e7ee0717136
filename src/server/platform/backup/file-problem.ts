import { dirname } from 'node:path';

/** Returns the first error in a chain of causes that comes from the operating system. */
export function systemErrorOf(error: unknown): NodeJS.ErrnoException | undefined {
  for (let one = error as NodeJS.ErrnoException | undefined; one instanceof Error; one = one.cause as NodeJS.ErrnoException | undefined)
    if (one.syscall !== undefined && one.code !== undefined) return one;
  return undefined;
}

/** Converts an error of writing or reading a file to a sentence that tells the remedy; returns other errors unchanged. */
export function readableProblem(error: unknown, file: string): unknown {
  const found = systemErrorOf(error);
  const isOfFile = found?.path === undefined || found.path.startsWith(file);
  if (found === undefined || !isOfFile) return error;
  const sentence = sentenceOf(found.code ?? '', file);
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}

function sentenceOf(code: string, file: string): string | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of ${dirname(file)} is full. Free some space, or choose a folder on another disk.`;
  if (code === 'EFBIG') return `${file} would be larger than the file system allows. Choose a folder on another disk.`;
  if (code === 'EACCES' || code === 'EPERM') return `${file} is not accessible to this user. Change the permissions, or choose another folder.`;
  if (code === 'EROFS') return `${dirname(file)} is on a read-only disk. Choose another folder.`;
  if (code === 'ENOENT') return `${file} not found. Check the path; its folder must exist.`;
  if (code === 'ENOTDIR' || code === 'EISDIR') return `${file} is not the path of a file. Check the path.`;
  return undefined;
}
