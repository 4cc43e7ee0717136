import { expect, rs, test } from '@rstest/core';
import { screen } from '@testing-library/react';
import { crud, entity } from '#shared/contract';
import { Email, Id, Phone, Text } from '#shared/fields';
import { showCrud } from '../../../support/crud-screen.tsx';

const Contact = entity('contact', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], copyable: true }),
  phone: Phone({ title: ['电话', 'Phone'], copyable: true }),
  mail: Email({ title: ['邮箱', 'Mail'], copyable: true }),
});

test('a link and the button that copies it have different keys', async () => {
  const printed = rs.spyOn(console, 'error').mockImplementation(() => undefined);
  const row = { id: '7', name: '海山', phone: '13800000000', mail: 'haishan@example.com' };
  await showCrud({ crud: crud('/api/contact', Contact) }, { answers: { '/api/contact/list': () => ({ records: [row], total: 1, totalExact: true }) } });
  expect(await screen.findByText('haishan@example.com')).toBeTruthy();
  expect(printed.mock.calls).toEqual([]);
  printed.mockRestore();
});
