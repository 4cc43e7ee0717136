import { expect, test } from '@rstest/core';
import { isAccepted, linkOf, parseFileLink } from '../../../../src/kernel/ui/files/file-link.ts';

test('a link keeps the original name of its file, and a foreign link is named after its last segment', () => {
  const reply = {
    id: '7',
    attachId: '7',
    name: 'k',
    originalName: '合同 #1.pdf',
    link: '/api/file/blob?key=k',
    domain: '',
    size: 1,
    type: 'application/pdf',
    ext: 'pdf',
  };
  expect(parseFileLink(linkOf(reply))).toEqual({ id: '7', name: '合同 #1.pdf', address: '/api/file/blob?key=k' });
  expect(parseFileLink('https://x.cn/a/%E5%9B%BE.png?b')).toMatchObject({ id: undefined, name: '图.png' });
});

test('a file is accepted by its media type, its kind or its extension', () => {
  const file = { name: 'A.PDF', type: 'application/pdf' };
  expect([undefined, '.pdf', 'application/pdf', 'image/*,.pdf'].every((accept) => isAccepted(file, accept))).toBe(true);
  expect(isAccepted(file, 'image/*')).toBe(false);
});
