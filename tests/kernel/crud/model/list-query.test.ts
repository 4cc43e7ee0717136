import { expect, test } from '@rstest/core';
import { param } from '#plugins/settings/contract';
import { crud, entity } from '#shared/contract';
import { Id, Integer, Select, Text } from '#shared/fields';
import { listInput } from '../../../../src/kernel/crud/model/list-query.ts';

const page = { current: 1, size: 10 };

test('a range of times becomes _dategt and _datelt, either of which may be missing', () => {
  const inputWith = (createTime: unknown) => listInput(param, { ...page, filters: { createTime } });
  expect(inputWith(['2026-01-01 00:00:00', '2026-01-31 23:59:59'])).toEqual({
    ...page,
    createTime_dategt: '2026-01-01 00:00:00',
    createTime_datelt: '2026-01-31 23:59:59',
  });
  expect(inputWith(['2026-01-01 00:00:00'])).toEqual({ ...page, createTime_dategt: '2026-01-01 00:00:00' });
  expect(inputWith([])).toEqual(page);
  expect(inputWith(undefined)).toEqual(page);
});

test('texts match substrings, options and numbers match exactly, and empty values are not sent', () => {
  const Thing = entity('thing', {
    id: Id(),
    thingName: Text({ title: ['名', 'Name'], search: true }),
    grade: Integer({ title: ['级', 'Grade'], search: true }),
    isSealed: Select({
      title: ['封', 'Sealed'],
      search: true,
      options: [
        [0, ['否', 'No']],
        [1, ['是', 'Yes']],
      ],
    }),
    secret: Text({ title: ['密', 'Secret'] }),
  });
  const thing = crud('/thing', Thing);
  expect(listInput(thing, { ...page, filters: { thingName: ' a ', grade: 3, isSealed: 0, secret: 'x' } })).toEqual({
    ...page,
    thingName: 'a',
    grade_equal: 3,
    isSealed_equal: 0,
  });
  expect(listInput(thing, { ...page, filters: { thingName: '  ', grade: undefined, isSealed: undefined } })).toEqual(page);
});

test('a sort is sent with the column name of its field', () => {
  expect(listInput(param, { ...page, filters: {}, sort: { field: 'createTime', direction: 'desc' } })).toEqual({ ...page, descs: 'create_time' });
});
