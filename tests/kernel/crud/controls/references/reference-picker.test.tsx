import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import * as Type from 'typebox';
import { crud, entity, get, type ListInput } from '../../../../../src/shared/contract/contract.ts';
import { Id, Reference, Text } from '../../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../../support/crud-screen.tsx';

const makers = get('/api/shop/maker/list', {
  title: ['厂家', 'Makers'],
  access: 'signedIn',
  input: Type.Unsafe<ListInput>({}),
  reply: Type.Unsafe<unknown>({}),
});
const title = ['厂家', 'Maker'] as const;
const lamp = crud(
  '/api/shop/lamp',
  entity('lamp', {
    id: Id(),
    name: Text({ title: ['名称', 'Name'] }),
    makerId: Reference({ title, from: { call: makers, paged: true, search: 'name' } }),
  }),
);
const maker = '1800000000000000077';
const row = { id: '1', name: '台灯', makerId: maker };

beforeEach(() => {
  cleanup();
  localStorage.clear();
  history.replaceState(null, '', '/base/lamp/index');
});

/** Opens the form of a row and returns the texts of its field on each change until the name appears. */
async function fieldTexts(stored: object): Promise<string[]> {
  const page = (records: object[]) => ({ records, total: records.length, totalExact: true, size: 20, current: 1, pages: 1 });
  const { press, settle } = await showCrud(
    { crud: lamp },
    {
      codes: ['lamp', 'lamp_edit', 'lamp_view', 'lamp_add', 'lamp_delete'],
      answers: {
        '/api/shop/lamp/list': () => page([stored]),
        '/api/shop/lamp/detail': () => stored,
        [makers.path]: ({ ids }) => page([ids === undefined ? { id: '5', name: '别家' } : { id: maker, name: '月光灯厂' }]),
      },
    },
  );
  const texts: string[] = [];
  const record = () => {
    const item = document.querySelector('[data-field=makerId]');
    if (!item) return;
    const chosen = item.querySelector('.arco-select-view-value')?.textContent;
    texts.push(chosen || item.querySelector('input')?.value || '');
  };
  const watch = new MutationObserver(record);
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
  await press(screen.getByRole('button', { name: /^编辑/ }));
  await expect.poll(() => texts.at(-1), { timeout: 10_000 }).toBe('月光灯厂');
  await settle();
  watch.disconnect();
  return texts;
}

test('a form shows the title of a stored reference from its first paint on, never its id or an empty box', async () => {
  const texts = await fieldTexts({ ...row, makerName: '月光灯厂' });
  expect([...new Set(texts)]).toEqual(['月光灯厂']);
});

test('a reference whose row has no title uses the title from the list', async () => {
  const texts = await fieldTexts(row);
  expect(texts.at(-1)).toBe('月光灯厂');
  expect(texts.filter((words) => words.includes(maker))).toEqual([]);
});
