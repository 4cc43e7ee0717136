import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { columnFields } from '../../../../src/kernel/crud/model/entity-fields.ts';
import { defaultSettings, type TableSettings } from '../../../../src/kernel/crud/model/table-settings.ts';
import SettingsPanel from '../../../../src/kernel/crud/table/tools/SettingsPanel.tsx';
import { entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Text } from '../../../../src/shared/contract/fields.ts';
import { showPage } from '../../../support/crud-screen.tsx';

const Lamp = entity('lamp', { id: Id(), name: Text({ title: ['名称', 'Name'] }), colour: Text({ title: ['颜色', 'Colour'] }) });
const fields = columnFields(Lamp).filter(({ name }) => name === 'name' || name === 'colour');

afterEach(cleanup);

test('an arrow key moves a column by one, and stores nothing at the ends of the list', async () => {
  const changes: (TableSettings | undefined)[] = [];
  await showPage(<SettingsPanel fields={fields} settings={defaultSettings(fields, {})} onChange={(change) => changes.push(change)} />, { answers: {} });
  const handleOf = (name: string) => screen.getByRole('button', { name: `移动${name}，用上下方向键` });
  fireEvent.keyDown(handleOf('名称'), { key: 'ArrowUp' });
  fireEvent.keyDown(handleOf('颜色'), { key: 'ArrowDown' });
  expect(changes).toEqual([]);
  fireEvent.keyDown(handleOf('名称'), { key: 'ArrowDown' });
  expect(changes.map((change) => change?.columns.map(({ name }) => name))).toEqual([['colour', 'name']]);
});
