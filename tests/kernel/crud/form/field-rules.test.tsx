import { afterEach, expect, test } from '@rstest/core';
import { cleanup, within as inside, screen, waitFor } from '@testing-library/react';
import { atMost, before, crud, entity, within } from '../../../../src/shared/contract/contract.ts';
import { DateTime, Id, Integer, Money, Nullable, Reference, Text } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const Offer = entity(
  'offer',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'] }),
    gradeId: Nullable(Reference({ title: ['等级', 'Grade'], from: { call: { path: '/grades' }, lookup: 'ids' }, list: false })),
    price: Money({ title: ['单价', 'Price'], minimum: 1, maximum: 5_000_000, search: true, compare: 'between' }),
    least: Integer({ title: ['最少', 'Least'], minimum: 0, maximum: 10 }),
    most: Integer({ title: ['最多', 'Most'], minimum: 0, maximum: 10 }),
    startTime: Nullable(DateTime({ title: ['开始时间', 'Start'] })),
    endTime: Nullable(DateTime({ title: ['结束时间', 'End'], endOfDay: true })),
  },
  {
    rules: [
      before('startTime', 'endTime'),
      atMost('least', 'most'),
      within('price', { reference: 'gradeId', entity: 'grade', minimum: 'low', maximum: 'high', unlimited: 0 }),
    ],
  },
);
const offer = crud('/api/shop/offer', Offer);
const answers = {
  '/api/shop/offer/list': () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }),
  '/api/shop/offer/submit': () => ({ id: '1' }),
  '/grades': () => [{ id: '7', name: '普通', low: 100, high: 2000 }],
};

async function openForm(initial: Record<string, unknown> = {}) {
  const view = await showCrud({ crud: offer, initial }, { codes: ['offer', 'offer_add'], answers });
  await view.press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await view.settle();
  const item = (name: string) => document.querySelector(`[data-field=${name}]`) as HTMLElement;
  const input = (name: string) => inside(item(name)).getByRole('spinbutton') as HTMLInputElement;
  const problem = (name: string) => item(name).querySelector('.crud-form__problem')?.textContent;
  const hint = (name: string) => item(name).querySelector('[id$="-bounds"]')?.textContent;
  const type = async (name: string, text: string) => {
    await view.user.clear(input(name));
    await view.user.type(input(name), text);
    await view.user.tab();
  };
  return { ...view, item, input, problem, hint, type };
}

test('a typed number stays as it is, and the field shows why it is refused', async () => {
  const { type, input, problem, user } = await openForm();
  await type('price', '-50');
  expect(input('price').value).toBe('-50.00');
  expect(problem('price')).toBe('单价须在0.01到50000.00之间');
  await type('price', '300.555');
  expect(input('price').value).toBe('300.555');
  expect(problem('price')).toBe('单价最多2位小数');
  await type('price', '60000');
  expect(input('price').value).toBe('60000.00');
  await type('least', '1.5');
  expect(input('least').value).toBe('1.5');
  expect(problem('least')).toBe('最少须为整数');
  await type('least', '9');
  await user.type(input('least'), '{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(input('least').value).toBe('10');
});

test('the bounds are shown as a hint and describe the control', async () => {
  const { hint, input } = await openForm();
  expect(hint('price')).toBe('0.01–50,000.00 元');
  expect(document.getElementById(input('price').getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toBe('0.01–50,000.00 元');
});

test('a rule between two fields is checked once both are filled, at the later field, and again when the other one changes', async () => {
  const { type, problem } = await openForm();
  await type('least', '5');
  expect(problem('most')).toBe('');
  await type('most', '4');
  expect(problem('most')).toBe('最多不能低于最少');
  await type('least', '3');
  expect(problem('most')).toBe('');
});

test('the bounds of a referenced record are shown and enforced in the form', async () => {
  const { type, problem, hint, http, user } = await openForm({ gradeId: '7' });
  await waitFor(() => expect(hint('price')).toBe('1.00–20.00 元'));
  await type('price', '20.01');
  expect(problem('price')).toBe('单价不能超过 20.00');
  await user.click(screen.getByRole('button', { name: '保存' }));
  expect(http.to('/submit')).toEqual([]);
});

test('a filter with too many decimals is refused instead of rounded', async () => {
  const { http, user, press, openFilters } = await showCrud({ crud: offer }, { codes: ['offer'], answers });
  const filters = await openFilters();
  await user.type(await filters.findByRole('spinbutton', { name: '单价：最小' }), '300.555');
  await screen.findByText('单价最多2位小数');
  const requestCount = http.to('/list').length;
  await press(filters.getByRole('button', { name: '查询' }));
  expect(http.to('/list')).toHaveLength(requestCount);
  await user.clear(filters.getByRole('spinbutton', { name: '单价：最小' }));
  await user.type(filters.getByRole('spinbutton', { name: '单价：最小' }), '300.55');
  await press(filters.getByRole('button', { name: '查询' }));
  await waitFor(() => expect(http.to('/list').at(-1)?.input).toMatchObject({ price_ge: 30055 }));
});
