import { expect } from '@rstest/core';
import type pg from 'pg';
import type { Entity, ListInput, Page } from '#shared/contract';
import { snakeCase } from '#shared/text';
import { inTurn, median, milliseconds, report, times } from './report.ts';

/** Compares a request with its page as it would be written by hand. */
export interface ComparedList {
  readonly what: string;
  readonly input: ListInput;
  readonly where?: string;
  readonly values?: readonly string[];
  readonly order?: string;
  /** Number of rows before the page. */
  readonly offset?: number;
  /** Number of rows of the page; 10 by default. */
  readonly size?: number;
  /** Number of runs; smaller for pages that are slow by nature. */
  readonly runs?: number;
}

export interface ComparedTable {
  readonly section: string;
  readonly entity: Entity;
  readonly driver: pg.Client;
  /** Number of rows, as the report names it. */
  readonly size: string;
  page(input: ListInput): Promise<Page<{ id: string }>>;
}

/** Upper bound of the time for a page with its total, relative to the page alone. */
const maxTimes = 1.3;

/** Returns the columns of a page of an entity. */
export const columnsOf = ({ fields }: Entity): string =>
  Object.keys(fields)
    .map((name) => (name === 'version' ? 'xmin::text as version' : snakeCase(name)))
    .join(', ');

/** Measures one list and its bare page in turn. */
export async function compareList({ section, entity, driver, size: of, page }: ComparedTable, list: ComparedList): Promise<void> {
  const { what, input, where = '', values = [], order = 'create_time desc, id desc', offset = 0, size = 10, runs = 400 } = list;
  const text = `select ${columnsOf(entity)} from ${snakeCase(entity.name)} where is_deleted = 0 and tenant_id = '000000' ${where} order by ${order} limit ${size} offset ${offset}`;
  const bare = () => driver.query({ text, values: [...values] });
  expect((await page(input)).records.map(({ id }) => id)).toEqual((await bare()).rows.map(({ id }) => id));
  const [ours, alone] = (await inTurn(runs, () => page(input), bare)).map(median) as [number, number];
  const ratio = ours / alone;
  const figure = `${times(ratio)} the bare page (${milliseconds(ours)} to ${milliseconds(alone)})`;
  report({ section, what, figure, bound: `${maxTimes} ×`, isMet: ratio <= maxTimes, at: `${of}, ${size} a page; ${runs} runs` });
  expect(ratio).toBeLessThanOrEqual(maxTimes);
}
