import { expect } from '@rstest/core';
import type { TSchema } from 'typebox';
import { type Entity, entity } from '#shared/contract';
import { DateTime, Id, Nullable, traitsOf } from '#shared/fields';
import { ruleFields } from '#shared/rules';
import { census } from './census.ts';
import { productTest, ruleTest } from './contract-server.ts';

/** Words of field names that begin a range, with those that end it. */
const pairs: readonly (readonly [string, readonly string[]])[] = [
  ['min', ['max']],
  ['least', ['most']],
  ['lower', ['upper']],
  ['low', ['high']],
  ['begin', ['end']],
  ['start', ['end']],
  ['from', ['to', 'until']],
];

const wordsOf = (name: string) =>
  name
    .replace(/([A-Z])/g, '_$1')
    .toLowerCase()
    .split('_');

/** Returns the names of the fields of a form that look like both ends of a range. */
function rangesOf({ form }: Entity): [string, string][] {
  const names = Object.entries(form.properties as Record<string, TSchema>).flatMap(([name, schema]) => (traitsOf(schema)?.form === false ? [] : [name]));
  return names.flatMap((name) =>
    pairs.flatMap(([first, lasts]) => {
      const words = wordsOf(name);
      if (!words.includes(first)) return [];
      const partners = lasts.map((last) => words.map((word) => (word === first ? last : word)).join('_'));
      return names.flatMap((other): [string, string][] => (partners.includes(wordsOf(other).join('_')) ? [[name, other]] : []));
    }),
  );
}

ruleTest('range-rule', 'both ends of each range in a form are compared by a rule', () => {
  const { entities } = census();
  const found = entities.flatMap((entity) => rangesOf(entity).map((range) => ({ entity, range })));
  const missing = found.filter(({ entity, range }) => !entity.rules.some((rule) => ruleFields(rule).join() === range.join()));
  expect(missing.map(({ entity, range }) => `${entity.name}: ${range.join(', ')}`)).toEqual([]);
});

productTest('both ends of a range are recognized by their names', () => {
  const time = Nullable(DateTime({ title: ['时间', 'Time'] }));
  expect(rangesOf(entity('sample', { id: Id(), beginTime: time, endTime: time, otherTime: time }))).toEqual([['beginTime', 'endTime']]);
});

ruleTest('range-rule', 'every rule reads fields of its entity, and the entity of its bounds exists', () => {
  const { entities } = census();
  const names = new Map(census(() => true).entities.map((entity) => [entity.name, entity]));
  for (const entity of entities)
    for (const rule of entity.rules) {
      for (const name of ruleFields(rule)) expect(Object.keys(entity.fields)).toContain(name);
      if (rule.kind === 'within') for (const bound of [rule.minimum, rule.maximum]) expect(Object.keys(names.get(rule.entity)?.fields ?? {})).toContain(bound);
    }
});
