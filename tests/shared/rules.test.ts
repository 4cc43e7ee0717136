import { expect, test } from '@rstest/core';
import fc from 'fast-check';
import { atMost, before, entity, within } from '#shared/contract';
import { DateTime, Decimal, Id, Integer, Money, Nullable, Period, Text } from '#shared/fields';
import { boundsHint, boundsMessage, boundsOf, findViolation, pastMessage } from '#shared/rules';
import { fieldProblem } from '#shared/validation';

const Sale = entity(
  'sale',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'] }),
    startTime: Nullable(DateTime({ title: ['开始时间', 'Start'] })),
    endTime: Nullable(DateTime({ title: ['结束时间', 'End'], endOfDay: true, notPast: true })),
    minPrice: Money({ title: ['最低价', 'Min price'], default: 0 }),
    maxPrice: Money({ title: ['最高价', 'Max price'], default: 0 }),
  },
  { rules: [before('startTime', 'endTime'), atMost('minPrice', 'maxPrice', { unlimited: 0 })] },
);

const problemOf = (values: object) => findViolation(Sale.rules, Sale.fields, values as Record<string, unknown>);
const wireTime = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));

test('a rule is not applied while one of its fields is empty, and its message belongs to the later field', () => {
  expect(problemOf({ startTime: '2026-01-02 00:00:00', endTime: null, minPrice: 5, maxPrice: undefined })).toBeUndefined();
  expect(problemOf({ startTime: '2026-01-02 00:00:00', endTime: '2026-01-02 00:00:00' })).toEqual({
    name: 'endTime',
    message: ['结束时间须晚于开始时间', 'End must be later than Start'],
  });
  expect(problemOf({ minPrice: 5, maxPrice: 4 })).toEqual({ name: 'maxPrice', message: ['最高价不能低于最低价', 'Max price cannot be lower than Min price'] });
  expect(problemOf({ minPrice: 5, maxPrice: 0 })).toBeUndefined();
});

test('a start and an end are valid exactly when the start is before the end', () => {
  const isEarlier = (one: string, other: string) => Date.parse(`${one.replace(' ', 'T')}Z`) < Date.parse(`${other.replace(' ', 'T')}Z`);
  fc.assert(
    fc.property(wireTime, wireTime, (startTime, endTime) => {
      expect(problemOf({ startTime, endTime }) === undefined).toBe(isEarlier(startTime, endTime));
    }),
  );
});

test('a range of amounts is valid exactly when the maximum is not below the minimum or is unlimited, also for numbers as text', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(amount, amount, fc.boolean(), (minPrice, maxPrice, isText) => {
      const values = isText ? { minPrice: String(minPrice), maxPrice: String(maxPrice) } : { minPrice, maxPrice };
      expect(problemOf(values) === undefined).toBe(minPrice <= maxPrice || maxPrice === 0);
    }),
  );
});

test('bounds of another record accept exactly the values between them', () => {
  const rule = within('price', { reference: 'gradeId', entity: 'grade', minimum: 'low', maximum: 'high', unlimited: 0 });
  const price = Money({ title: ['单价', 'Price'] });
  const amount = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(amount, amount, amount, (value, low, high) => {
      const isWithin = value >= low && (high === 0 || value <= high);
      expect(boundsMessage(price, value, boundsOf(rule, { low, high })) === undefined).toBe(isWithin);
    }),
  );
  expect(boundsMessage(price, 99, { minimum: 100 })).toEqual(['单价不能低于 1.00', 'Price must be at least 1.00']);
  expect(boundsMessage(price, 500_001, { maximum: 500_000 })).toEqual(['单价不能超过 5,000.00', 'Price must be at most 5,000.00']);
});

test('an amount is accepted exactly when it has at most two decimals', () => {
  const price = Money({ title: ['单价', 'Price'] });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 999 }), (yuan, thousandths) => {
      const cents = Number((Number(`${yuan}.${String(thousandths).padStart(3, '0')}`) * 100).toFixed(6));
      expect(fieldProblem(price, cents, true) === undefined).toBe(thousandths % 10 === 0);
    }),
  );
  expect(fieldProblem(price, 30055.5, true)).toEqual(['单价最多2位小数', 'Price can have up to 2 decimal places']);
});

test('a period ends after it begins', () => {
  const period = Period({ title: ['生命周期', 'Lifetime'] });
  expect(fieldProblem(period, '2026-01-01 00:00:00,2026-01-02 00:00:00', true)).toBeUndefined();
  expect(fieldProblem(period, '2026-01-02 00:00:00,2026-01-01 00:00:00', true)).toEqual([
    '生命周期的结束时间须晚于开始时间',
    'Lifetime must end after it starts',
  ]);
});

test('a time in the past is refused only by fields with notPast', () => {
  const now = '2026-11-24 12:00:00';
  expect(pastMessage(Sale.fields.endTime, '2026-11-24 11:59:59', now)?.[0]).toContain('结束时间早于当前时间');
  expect(pastMessage(Sale.fields.endTime, '2026-11-24 23:59:59', now)).toBeUndefined();
  expect(pastMessage(Sale.fields.startTime, '2020-01-01 00:00:00', now)).toBeUndefined();
});

test('the hint has only informative bounds: not a lower one of zero or of the smallest amount', () => {
  expect(boundsHint(Money({ title: ['单价', 'Price'], minimum: 1, maximum: 5_000_000 }))).toEqual(['0.01–50,000.00 元', '0.01–50,000.00 yuan']);
  expect(boundsHint(Money({ title: ['单价', 'Price'] }))).toBeUndefined();
  expect(boundsHint(Money({ title: ['单价', 'Price'], minimum: 1 }))).toBeUndefined();
  expect(boundsHint(Money({ title: ['单价', 'Price'], minimum: 10 }))).toEqual(['至少 0.10 元', 'At least 0.10 yuan']);
  expect(boundsHint(Integer({ title: ['等级', 'Level'] }))).toBeUndefined();
  expect(boundsHint(Integer({ title: ['时限', 'Limit'], minimum: 1, maximum: 8760, unit: ['小时', 'h'] }))).toEqual(['1–8,760 小时', '1–8,760 h']);
  expect(boundsHint(Decimal({ title: ['内存', 'Memory'] }))).toEqual(['最多 2 位小数', 'Up to 2 decimal places']);
  expect(boundsHint(Integer({ title: ['数量', 'Count'], minimum: 0, maximum: 100 }), { minimum: 5, maximum: 20 })).toEqual(['5–20', '5–20']);
});
