import { expect, test } from '@rstest/core';
import { Cron as Croner } from 'croner';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { holds } from '#shared/condition';
import { entity } from '#shared/contract';
import { isCron } from '#shared/cron';
import {
  Attachment,
  Cron,
  DateOnly,
  Decimal,
  Email,
  Id,
  Integer,
  Json,
  Money,
  MultiSelect,
  Nullable,
  Phone,
  Secret,
  Select,
  Text,
  TimeOnly,
  traitsOf,
  Url,
} from '#shared/fields';
import { fieldProblem, objectProblem } from '#shared/validation';

const title = ['名称', 'Name'] as const;
const takes = (schema: TSchema, value: unknown) => fieldProblem(schema, value, true) === undefined;

test('each kind takes its values and no others', () => {
  const kinds: [TSchema, unknown[], unknown[]][] = [
    [Money({ title }), [0, 1, 12_345_678_900, '250'], [-1, 1.5, 'x', 10 ** 13]],
    [Decimal({ title }), [0, 1.25, -3, '2.5'], [1.234, 'x', Number.NaN]],
    [DateOnly({ title }), ['2026-02-28', '2024-02-29'], ['2026-02-29', '2026-2-1', '0000-01-01', 20260101]],
    [TimeOnly({ title }), ['00:00:00', '23:59:59'], ['24:00:00', '12:60:00', '12:00']],
    [Email({ title }), ['a@b.cn', 'first.last+tag@mail.example.com'], ['a@b', 'a b@c.cn', '<a@b.cn>', '@b.cn']],
    [Phone({ title }), ['13800138000'], ['1380013800', '138001380000', '02112345678', '1380013800a']],
    [Url({ title }), ['https://example.com/a?b=c', 'HTTP://x.cn'], ['/local', 'ftp://x', 'javascript:alert(1)', 'https:// x']],
    [Attachment({ title, max: 2 }), [['/api/file/1#a.pdf'], ['https://x.cn/a']], [['javascript:alert(1)'], ['//evil.cn'], ['/a', '/a'], ['/a', '/b', '/c']]],
    [Json({ title }), ['{"a":1}', '[]', 'null '], ['{a:1}', '{']],
    [Cron({ title }), ['0 0 * * *', '0 0/5 8-20 ? * MON-FRI', '0 0 0 L * ? 2030'], ['* * *', '60 0 * * * *', '0 0 0 32 * *', 'x']],
    [
      MultiSelect(
        Select({
          title,
          options: [
            [1, ['甲', 'A']],
            [2, ['乙', 'B']],
          ],
        }),
      ),
      [[1], [2, 1]],
      [[3], [1, 1], 1],
    ], // prettier-ignore
  ];
  for (const [schema, good, bad] of kinds) {
    for (const value of good) expect({ kind: traitsOf(schema)?.widget, value, taken: takes(schema, value) }).toMatchObject({ taken: true });
    for (const value of bad) expect({ kind: traitsOf(schema)?.widget, value, taken: takes(schema, value) }).toMatchObject({ taken: false });
  }
});

test('a phone number is refused with the message of the specification', () => {
  const words = (value: string) => fieldProblem(Phone({ title: ['手机', 'Phone'] }), value, true)?.[0];
  expect(words('')).toBe('手机号码不能为空');
  expect(words('138')).toBe('手机号码长度不为11位');
  expect(words('02112345678')).toBe('手机号码格式不正确');
  expect(words('13800138000')).toBeUndefined();
});

test('the scheduler understands every accepted cron expression', () => {
  const item = fc.oneof(
    fc.constantFrom('*', '?', 'L', '0', '1', '5', '12', '31', 'MON', 'JAN', '5L', '2#2', '15W', '1-5', '*/7', '3/10', '2,4', 'LW'),
    fc.integer({ min: 0, max: 70 }).map(String),
    fc.tuple(fc.nat(60), fc.nat(60)).map(([from, to]) => `${from}-${to}`),
  );
  fc.assert(
    fc.property(fc.array(item, { minLength: 4, maxLength: 7 }), (parts) => {
      const text = parts.join(' ');
      if (isCron(text)) expect(() => new Croner(text, { paused: true, sloppyRanges: true })).not.toThrow();
    }),
    { numRuns: 2000 },
  );
});

const Errand = entity('errand', {
  id: Id(),
  kind: Select({
    title: ['方式', 'Kind'],
    options: [
      [1, ['自取', 'Pick up']],
      [2, ['邮寄', 'Post']],
    ],
    default: 1,
  }), // prettier-ignore
  address: Nullable(Text({ title: ['地址', 'Address'], visible: { field: 'kind', is: 2 }, requiredWhen: { field: 'kind', is: 2 } })),
  key: Secret({ title: ['密钥', 'Key'] }),
});

test('a field is required while its condition is met', () => {
  expect(objectProblem(Errand.form, { kind: 1, key: 'k' })).toBeUndefined();
  expect(objectProblem(Errand.form, { kind: 2, key: 'k' })).toMatchObject({ name: 'address' });
  expect(objectProblem(Errand.form, { kind: '2', key: 'k', address: '人民路1号' })).toBeUndefined();
});

test('a change that omits the field of a condition is not checked against it', () => {
  expect(objectProblem(Errand.form, { id: '1', kind: 2 }, ['id'])).toBeUndefined();
  expect(objectProblem(Errand.form, { id: '1', kind: 2 })).toMatchObject({ name: 'address' });
});

test('a secret is required once, and is in no reply', () => {
  expect(objectProblem(Errand.form, { kind: 1 })).toMatchObject({ name: 'key', message: ['请输入密钥', 'Key is required'] });
  expect(Object.keys(Errand.row.properties)).not.toContain('key');
  expect(Object.keys(Errand.form.properties)).toContain('key');
});

test('a field that can be invisible must be nullable', () => {
  const declared = () => entity('odd', { id: Id(), size: Integer({ title, visible: { field: 'id', filled: true } }) });
  expect(declared).toThrow('odd.size is not always visible');
});

test('conditions join, and see several values as each of them', () => {
  const condition = {
    any: [
      { field: 'tags', is: ['a', 'b'] },
      {
        all: [
          { field: 'n', isNot: 1 },
          { field: 'text', filled: true },
        ],
      },
    ],
  };
  expect(holds(condition, { tags: ['c', 'b'], n: 1 })).toBe(true);
  expect(holds(condition, { tags: [], n: 2, text: 'x' })).toBe(true);
  expect(holds(condition, { tags: [], n: '1', text: 'x' })).toBe(false);
});
