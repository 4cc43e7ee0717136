import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import type { TSchema } from 'typebox';
import { crud, entity } from '#shared/contract';
import { Id, Nullable, Reference, Text } from '#shared/fields';
import { showCrud } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const Device = entity('device', { id: Id(), name: Text({ title: ['名称', 'Name'] }) });
const device = crud('/api/device', Device);
const deviceId = Reference({ title: ['设备', 'Device'], from: { call: device.list, paged: true } });

async function show(remark: TSchema) {
  const loan = crud('/api/loan', entity('loan', { id: Id(), deviceId, remark }));
  const page = (row: object) => () => ({ records: [row], total: 1, totalExact: true });
  await showCrud(
    { crud: loan },
    {
      answers: { [loan.list.path]: page({ id: '7', deviceId: '1', remark: '拍摄用' }), [device.list.path]: page({ id: '1', name: '佳能相机' }) },
      codes: ['loan', 'loan_view'],
    },
  );
}

test('a row opens by its reference if its only text can be empty', async () => {
  await show(Nullable(Text({ title: ['备注', 'Remark'] })));
  expect((await screen.findByText('佳能相机')).closest('button')).not.toBeNull();
  expect((await screen.findByText('拍摄用')).closest('button')).toBeNull();
});

test('a row opens by its first text', async () => {
  await show(Text({ title: ['用途', 'Purpose'] }));
  expect((await screen.findByText('拍摄用')).closest('button')).not.toBeNull();
  expect((await screen.findByText('佳能相机')).closest('button')).toBeNull();
});
