import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { compareTables, createTableSql, type Database, repositoryOf } from '../../../src/server/data/index.ts';
import { safeHtml } from '../../../src/server/data/schema/safe-html.ts';
import { entity } from '../../../src/shared/contract/contract.ts';
import { ApiError } from '../../../src/shared/contract/errors.ts';
import {
  Attachment,
  BooleanInt,
  Cron,
  DateOnly,
  Decimal,
  Dictionary,
  Email,
  Flag,
  Id,
  Image,
  Json,
  Money,
  MultiSelect,
  Nullable,
  Phone,
  Reference,
  RichText,
  Select,
  Text,
  TimeOnly,
  Url,
} from '../../../src/shared/contract/fields.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const title = ['某项', 'Thing'] as const;
const from = { call: { path: '/api/somewhere' } };

const Sampler = entity('sampler', {
  id: Id(),
  price: Money({ title, search: true }),
  weight: Nullable(Decimal({ title })),
  day: DateOnly({ title, search: true, sort: true }),
  at: Nullable(TimeOnly({ title, search: true })),
  isOpen: Flag({ title, search: true }),
  isSealed: BooleanInt({ title }),
  kind: Dictionary({ title, code: 'kind', default: 'a' }),
  tags: Nullable(
    MultiSelect(
      Select({
        title,
        options: [
          [1, title],
          [2, title],
        ],
      }),
    ),
  ), // prettier-ignore
  owner: Reference({ title, from }),
  city: Nullable(Reference({ title, from: { ...from, maxLength: 12 } })),
  website: Nullable(Url({ title })),
  picture: Nullable(Image({ title })),
  papers: Nullable(Attachment({ title })),
  content: Nullable(RichText({ title })),
  extra: Nullable(Json({ title })),
  schedule: Nullable(Cron({ title })),
  email: Nullable(Email({ title })),
  phone: Nullable(Phone({ title })),
  address: Nullable(Text({ title, visible: { field: 'isOpen', is: true }, requiredWhen: { field: 'isOpen', is: true } })),
});

const full = {
  price: 12_345_678_900,
  weight: 1.25,
  day: '2024-02-29',
  at: '08:30:00',
  isOpen: true,
  isSealed: 1,
  kind: 'b',
  tags: [2, 1],
  owner: '9007199254740993',
  city: '110000',
  website: 'https://example.com/',
  picture: '/api/file/1',
  papers: ['/api/file/2#合同.pdf'],
  content: '<p>好</p>',
  extra: '{"b":1, "a":2}',
  schedule: '0 0 8 * * ?',
  email: 'a@b.cn',
  phone: '13800138000',
  address: '人民路1号',
} as const;
const scope = { tenantId: 'acme' };

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
const samplers = () => repositoryOf(db, Sampler);
const save = (form: object) => db.write(scope, () => samplers().save(form as Parameters<ReturnType<typeof samplers>['save']>[0]));

beforeAll(async () => {
  opened = await openTestDatabase({ migrations: await createTableSql(Sampler) });
  db = opened.db;
});
afterAll(() => opened.drop());

test('the table a migration makes of these kinds is the one they describe', async () => {
  expect(await compareTables(db, Sampler)).toEqual([]);
});

test('a row with a field of every type is stored and read unchanged', async () => {
  const { id } = await save(full);
  expect(await db.read(scope, () => samplers().detail(id))).toMatchObject(full);
});

test('days, times, amounts and flags can be searched and sorted by', async () => {
  await save({ ...full, price: 1, day: '2030-01-01', at: '23:00:00', isOpen: false });
  const found = async (input: Record<string, string | number>) => (await db.read(scope, () => samplers().page(input))).total;
  expect(await found({ day_datege: '2030-01-01' })).toBe(1);
  expect(await found({ day_equal: '2030-01-01', at_gt: '22:00:00', isOpen_equal: 'false', price_le: 1, descs: 'day' })).toBe(1);
  await expect(found({ day_ge: '2030-02-30' })).rejects.toThrow(ApiError);
});

test('invisible fields are cleared, and visible required ones must be filled in', async () => {
  const { id } = await save(full);
  expect(await save({ id, isOpen: false })).toMatchObject({ address: null });
  await expect(save({ id, isOpen: true })).rejects.toMatchObject({ field: 'address', problem: { status: 400 } });
});

test('formatted text keeps its format and loses scripts', () => {
  const kept = '<h2>题</h2><p><strong>粗</strong> <img src="/api/file/1" alt="图" /></p><ul><li>一</li></ul>';
  expect(safeHtml(kept)).toBe(kept);
  const evil = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="java&#10;script:alert(1)">a</a>',
    '<iframe src="https://x.cn"></iframe>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<p style="position:fixed" onclick="x()">p</p>',
    '<form action="https://x.cn"><input name="password"></form>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<img src="//evil.cn/x">',
  ];
  for (const html of evil) {
    const safe = safeHtml(html);
    expect(safe).not.toMatch(/script|onerror|onclick|iframe|svg|style|form|evil/i);
    expect(safeHtml(safe)).toBe(safe);
  }
});

test('formatted text of too many elements or levels is refused before it is sanitized', () => {
  const nested = (levels: number) => `${'<b>'.repeat(levels)}a${'</b>'.repeat(levels)}`;
  expect(safeHtml(nested(64))).toBe(nested(64));
  const cells = `<table><tbody>${'<tr><td><p>a</p></td></tr>'.repeat(1600)}</tbody></table>`;
  expect(safeHtml(cells)).toBe(cells);
  expect(() => safeHtml(nested(65), 'content')).toThrow('The formatting is nested too deeply. The limit is 64 levels.');
  expect(() => safeHtml('<b></i>'.repeat(14_285))).toThrow('The limit is 64 levels');
  expect(() => safeHtml('<br>'.repeat(5001))).toThrow('The text has too much formatting. The limit is 5000 elements.');
});
