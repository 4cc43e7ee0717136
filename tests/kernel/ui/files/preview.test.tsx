import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { thumbnailUrl } from '../../../../src/kernel/ui/files/file-link.ts';
import Preview from '../../../../src/kernel/ui/files/Preview.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const link = '/api/file/blob?key=0123456789abcdef0123456789abcdef&expires=1&signature=s';
const show = async (type: string) => {
  cleanup();
  await showPage(<Preview file={{ type, link, originalName: '样片' }} onClose={() => undefined} />, { answers: {} });
};

test('videos and audio play in the preview; for other files it offers the download', async () => {
  for (const [type, tag] of [
    ['video/mp4', 'video'],
    ['audio/mpeg', 'audio'],
  ] as const) {
    await show(type);
    const player = screen.getByLabelText('样片', { selector: tag });
    expect(player.getAttribute('src')).toBe(link);
  }
  await show('application/zip');
  expect(screen.getByText('此类文件不能预览，请下载后查看')).toBeTruthy();
});

test('text that does not arrive within the time limit shows an error', async () => {
  const original = { fetch: globalThis.fetch, timeout: AbortSignal.timeout };
  const limits: number[] = [];
  AbortSignal.timeout = (milliseconds) => {
    limits.push(milliseconds);
    return AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  };
  globalThis.fetch = async (_address, init) => {
    init?.signal?.throwIfAborted();
    return new Response('arrived');
  };
  try {
    await show('text/plain');
    await screen.findByText('文件加载失败，请下载后查看');
    expect(limits).toContain(10_000);
  } finally {
    globalThis.fetch = original.fetch;
    AbortSignal.timeout = original.timeout;
  }
});

test('a refused file shows an error instead of the body of the refusal', async () => {
  const { fetch } = globalThis;
  globalThis.fetch = async () => new Response('{"code":403}', { status: 403 });
  try {
    await show('text/plain');
    await screen.findByText('文件加载失败，请下载后查看');
    expect(screen.queryByText('{"code":403}')).toBeNull();
  } finally {
    globalThis.fetch = fetch;
  }
});

test('only stored pictures have a thumbnail address, with the parameter before the hash', () => {
  expect(thumbnailUrl(link)).toBe(`${link}&view=small`);
  expect(thumbnailUrl(`${link}#7/a.png`)).toBe(`${link}&view=small#7/a.png`);
  expect(thumbnailUrl('https://elsewhere.example/a.png?key=1')).toBe('https://elsewhere.example/a.png?key=1');
});
