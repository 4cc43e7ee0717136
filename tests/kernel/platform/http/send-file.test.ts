import { expect, test } from '@rstest/core';
import { files } from '#shared/files';
import type { Http, SendOptions } from '../../../../src/kernel/platform/http/http.ts';
import { sendFile } from '../../../../src/kernel/platform/http/send-file.ts';

const megabyte = 1024 * 1024;
const partSize = 5 * megabyte;

/** Answers as the server does and breaks the connection at the given byte. */
function server(arrived: number[], breaksAt?: number) {
  const sent: string[] = [];
  const send = async (call: { path: string }, input: { number?: number }, options: SendOptions) => {
    sent.push([call.path.split('/').at(-1), input.number, options.file?.size].filter((part) => part !== undefined).join(' '));
    if (input.number !== undefined && input.number === breaksAt) return { success: false, code: 500, data: null, msg: '' };
    options.onProgress?.(1);
    return { success: true, code: 200, msg: '', data: { id: '1', partSize, parts: 3, arrived } };
  };
  return { sent, http: { send } as unknown as Http };
}

const fileOf = (bytes: number) => new File([new Uint8Array(bytes)], 'a.bin', { lastModified: 7 });

test('a small file is sent in one piece, a large one in parts, and received parts are kept', async () => {
  const small = server([]);
  await sendFile(small.http, fileOf(10), { onProgress: () => undefined });
  expect(small.sent).toEqual(['uploadFile 10']);
  const large = server([1]);
  const told: number[] = [];
  const answer = await sendFile(large.http, fileOf(2 * partSize + 5), { onProgress: (fraction) => told.push(fraction) });
  expect(answer.success).toBe(true);
  expect(large.sent).toEqual(['begin', `send 2 ${partSize}`, 'send 3 5', 'complete']);
  expect(told).toEqual([...told].sort());
  expect(told.at(-1)).toBe(1);
  expect(files.beginParts.path).toContain('begin');
});

test('after a failed part nothing more is sent', async () => {
  const broken = server([], 2);
  expect(await sendFile(broken.http, fileOf(2 * partSize + 5), { onProgress: () => undefined })).toMatchObject({ success: false, code: 500 });
  expect(broken.sent).toEqual(['begin', `send 1 ${partSize}`, `send 2 ${partSize}`]);
});
