import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { type CodeRow, code, datasource, type ModelRow, maxImportedTables, model, prototype } from '#plugins/codegen/contract';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import CodePage, { CodePreview } from '../../../../src/plugins/codegen/console/CodePage.tsx';
import DatasourcePage from '../../../../src/plugins/codegen/console/DatasourcePage.tsx';
import ModelPage from '../../../../src/plugins/codegen/console/ModelPage.tsx';
import { PrototypeGrid } from '../../../../src/plugins/codegen/console/PrototypeGrid.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const draft = (jdbcName: string) => ({
  id: null,
  modelId: '1',
  name: jdbcName,
  comment: '',
  jdbcName,
  jdbcType: 'int',
  jdbcComment: jdbcName,
  englishName: jdbcName,
  propertyName: jdbcName,
  componentType: 'input',
  dictCode: null,
  isList: 1,
  isForm: 1,
  isRow: 0,
  isRequired: 0,
  isQuery: 1,
  queryType: 'between',
  options: null,
});

async function open() {
  const page = await showPage(<PrototypeGrid row={{ id: '1', modelName: '商品' } as ModelRow} />, {
    codes: ['model_edit'],
    answers: { [model.prototypes.path]: () => ['a', 'b', 'c'].map(draft), [prototype.submitList.path]: () => null },
  });
  const table = await screen.findByRole('table', { name: /商品/ });
  const order = () =>
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent?.[0]);
  return { ...page, table, order };
}

test('an order that was not saved comes back after a reload, until it is saved', async () => {
  const first = await open();
  await first.press(screen.getByRole('button', { name: '上移 c' }));
  cleanup();
  const again = await open();
  expect(again.order()).toEqual(['a', 'c', 'b']);
  await again.press(screen.getByRole('button', { name: '保存' }));
  cleanup();
  expect((await open()).order()).toEqual(['a', 'b', 'c']);
});

test('a row is moved by its buttons, its position is announced, and saved', async () => {
  const { press, order, inputs } = await open();
  expect(order()).toEqual(['a', 'b', 'c']);
  expect((screen.getByRole('button', { name: '上移 a' }) as HTMLButtonElement).disabled).toBe(true);
  expect((screen.getByRole('button', { name: '下移 c' }) as HTMLButtonElement).disabled).toBe(true);
  await press(screen.getByRole('button', { name: '上移 c' }));
  expect(order()).toEqual(['a', 'c', 'b']);
  expect(screen.getByText('c 已移到第 2 位，共 3 位')).toBeTruthy();
  await press(screen.getByRole('button', { name: '下移 a' }));
  expect(order()).toEqual(['c', 'a', 'b']);
  await press(screen.getByRole('button', { name: /保存/ }));
  const [saved] = inputs(prototype.submitList) as unknown as { jdbcName: string }[][];
  expect(saved?.map(({ jdbcName }) => jdbcName)).toEqual(['c', 'a', 'b']);
});

test('a row is dragged to its drop position, with its input', async () => {
  const { table, order, settle, user } = await open();
  await user.type(screen.getAllByRole('textbox')[0] as HTMLElement, '!');
  const rows = within(table).getAllByRole('row').slice(1);
  fireEvent.dragStart(rows[0]?.querySelector('[draggable]') as HTMLElement);
  fireEvent.dragOver(rows[2] as HTMLElement);
  fireEvent.drop(rows[2] as HTMLElement);
  await settle();
  expect(order()).toEqual(['b', 'c', 'a']);
  expect(screen.getAllByRole<HTMLInputElement>('textbox').some(({ value }) => value === 'a!')).toBe(true);
});

const offline = () => {
  throw new TransportError('offline');
};
const page = (...records: object[]) => ({ records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 });

test('nothing can be entered while fields are saved or read again, so that no input is lost', async () => {
  const { http, press, table } = await open();
  const area = table.parentElement as HTMLElement;
  await press(screen.getByRole('button', { name: '上移 c' }));
  expect(area.hasAttribute('inert')).toBe(false);
  http.hold();
  await press(screen.getByRole('button', { name: '保存' }));
  expect(area.hasAttribute('inert')).toBe(true);
  await act(async () => http.release());
  expect(area.hasAttribute('inert')).toBe(true);
  await act(async () => http.release());
  expect(area.hasAttribute('inert')).toBe(false);
});

test('fields, files and tables that cannot be read are reported, and can be read again', async () => {
  let answer: () => unknown = offline;
  const answers = { [model.prototypes.path]: () => answer(), [code.preview.path]: () => answer() };
  const grid = await showPage(<PrototypeGrid row={{ id: '1', modelName: '商品' } as ModelRow} />, { answers });
  expect(screen.getByRole('alert')).toBeTruthy();
  answer = () => [draft('a')];
  await grid.press(screen.getByRole('button', { name: '重试' }));
  expect(screen.getByRole('table')).toBeTruthy();
  cleanup();
  answer = offline;
  await showPage(<CodePreview row={{ id: '1' } as CodeRow} />, { answers });
  expect(screen.getByRole('alert')).toBeTruthy();
});

test('actions on plugins, models and data sources that get no answer show a toast', async () => {
  const messages: string[] = [];
  const pressOn = async (element: Parameters<typeof showPage>[0], calls: Record<string, () => unknown>, codes: string[], name: string) => {
    const shown = await showPage(element, { answers: calls, codes });
    await shown.press(await screen.findByRole('button', { name }));
    messages.push(...shown.messages.filter((text) => text.startsWith('error')));
    cleanup();
  };
  await pressOn(<CodePage />, { [code.list.path]: () => page({ id: '1', codeName: '货品' }), [code.copy.path]: offline }, ['code', 'code_add'], '复制');
  const sources = { [datasource.list.path]: () => page({ id: '1', name: '仓库' }), [datasource.test.path]: offline };
  await pressOn(<DatasourcePage />, sources, ['datasource', 'datasource_test'], '测试连接');
  const models = await showPage(<ModelPage />, {
    codes: ['model', 'code_add'],
    answers: { [model.list.path]: () => page({ id: '1', modelName: '货品' }), [code.createFromModels.path]: offline },
  });
  await models.press(within(await screen.findByRole('row', { name: /货品/ })).getByRole('checkbox'));
  await models.press(screen.getByRole('button', { name: '加入代码生成' }));
  messages.push(...models.messages);
  expect(messages).toEqual(Array.from({ length: 3 }, () => 'error: 网络已断开，请检查网络连接'));
});

test('all tables of a large database are imported, as many in a call as one accepts', async () => {
  const tables = Array.from({ length: 2 * maxImportedTables + 1 }, (_, index) => ({ name: `table${index}`, comment: '' }));
  const { inputs, press, messages } = await showPage(<ModelPage />, {
    codes: ['model', 'model_add'],
    answers: {
      [model.list.path]: () => page({ id: '1', modelName: '货品' }),
      [datasource.select.path]: () => [{ id: '7', name: '仓库' }],
      [model.tableList.path]: () => tables,
      [model.importTables.path]: (input: unknown) => ({ added: (input as { tables: string[] }).tables.length, skipped: 0 }),
    },
  });
  await press(await screen.findByRole('button', { name: '导入表' }));
  await press(await screen.findByRole('combobox', { name: '数据源' }));
  await press(await screen.findByText('仓库'));
  await press(await screen.findByRole('checkbox', { name: '全选' }));
  await press(screen.getByRole('button', { name: /201/ }));
  expect(inputs(model.importTables).map((input) => (input as { tables: string[] }).tables.length)).toEqual([100, 100, 1]);
  expect(messages).toEqual(['success: 已导入 201 张表']);
});

test('a saved data source is tested only for users who may test it', async () => {
  const row = { id: '1', name: '仓库', driverClass: 'embedded', version: '1' };
  const { inputs, press } = await showPage(<DatasourcePage />, {
    codes: ['datasource', 'datasource_edit'],
    answers: { [datasource.list.path]: () => page(row), [datasource.detail.path]: () => row, [datasource.submit.path]: () => row },
  });
  await press(await screen.findByRole('button', { name: '编辑' }));
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: /保存|确定/ }));
  expect([inputs(datasource.submit).length, inputs(datasource.test).length]).toEqual([1, 0]);
});
