import { type FileReplyRow, files } from '#shared/files';
import type { Answer, Http, SendOptions } from './http.ts';

/** Largest file in bytes that is sent in one piece. */
const maxSinglePartBytes = 5 * 1024 * 1024;

/** Options of an upload. */
export interface SendFileOptions extends Pick<SendOptions, 'signal' | 'quiet'> {
  readonly isPublic?: boolean;
  /** Receives the fraction of the file that has been sent, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** Uploads a file; a large one in parts, skipping the parts that have arrived in an earlier attempt. */
export async function sendFile(http: Http, file: File, { isPublic = false, onProgress, ...options }: SendFileOptions): Promise<Answer<FileReplyRow>> {
  if (file.size <= maxSinglePartBytes) return http.send(files.upload, { isPublic }, { ...options, file, onProgress });
  const form = { fileName: file.name, size: file.size, lastModified: Math.max(0, file.lastModified), isPublic };
  const started = await http.send(files.beginParts, form, options);
  if (!started.success) return started;
  const { id, partSize, parts, arrived } = started.data;
  const uploaded = new Set(arrived);
  for (let number = 1; number <= parts; number += 1) {
    if (uploaded.has(number)) continue;
    const start = (number - 1) * partSize;
    const piece = new File([file.slice(start, start + partSize)], file.name);
    const reportProgress = (fraction: number) => onProgress((uploaded.size * partSize + fraction * piece.size) / file.size);
    const answer = await http.send(files.sendPart, { id, number }, { ...options, file: piece, onProgress: reportProgress });
    if (!answer.success) return answer;
    uploaded.add(number);
  }
  return http.send(files.completeParts, { id }, options);
}
