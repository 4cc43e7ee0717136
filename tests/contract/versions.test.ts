import { beforeAll, expect } from '@rstest/core';
import type { TObject, TSchema } from 'typebox';
import type { Call, Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { atLeast } from '../support/checked-plugins.ts';
import type { Reply, TestServer } from '../support/test-server.ts';
import { type EditedEntity, editedEntities } from './census.ts';
import { contractServer, ruleTest } from './contract-server.ts';
import type { SampleForms } from './sample-forms.ts';
import { allowEdits } from './samples.ts';

let server: TestServer;
let headers: Record<string, string>;
let forms: SampleForms;
let seeded: ReadonlyMap<string, string>;
const versionedEntities = editedEntities();

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  forms = await contract.forms();
  seeded = await contract.seeded();
});

let editable: Promise<void> | undefined;

/** Makes the sample rows editable. The suites that share the server need them unchanged until then. */
function makeEditable(): Promise<void> {
  editable ??= allowEdits(server, seeded);
  return editable;
}

type Row = Readonly<Record<string, unknown>>;

const post = ({ path }: Call, input: object): Promise<Reply> => server.post(path, input, { headers });

/** Reads a row as it is stored, with its version. */
async function storedRow({ name }: Entity, id: string): Promise<Row> {
  const [row] = await server.sql(`select xmin::text as version, to_jsonb(one) as fields from ${snakeCase(name)} one where id = ${id}`);
  return { ...(row?.fields as Row), version: row?.version };
}

const rows = new Map<string, string>();

/** Adds a row through the API once, or returns the seeded row of an entity whose rows need others. */
async function rowOf({ name, entity, submit }: EditedEntity): Promise<string> {
  const existing = rows.get(name);
  if (existing !== undefined) return existing;
  const added = await post(submit, await forms.of(name, { submit }));
  const id = added.code === 200 ? added.data.id : seeded.get(`$${entity.name}`);
  if (id !== undefined) {
    rows.set(name, String(id));
    return String(id);
  }
  throw new Error(`${name} has neither a sample nor a seeded row: ${added.msg}`);
}

/** Deletes a row that these tests have added, so that later suites can add one with the same unique values. */
async function removeAdded({ entity }: EditedEntity, id: string): Promise<void> {
  if (seeded.get(`$${entity.name}`) !== id) await server.sql(`delete from ${snakeCase(entity.name)} where id = ${id}`);
}

const isCode = (name: string) => /code|key|url|path|class|name|id$/i.test(name);

/** Returns two values of each text and amount that an edit may change, codes last. */
function editsOf({ submit }: EditedEntity): [string, string | number, string | number][] {
  const properties = Object.entries((submit.input as TObject).properties as Record<string, TSchema & { pattern?: string }>);
  const texts = properties.flatMap(([name, schema]) => {
    const { widget = '', immutable, visible } = traitsOf(schema) ?? {};
    return ['text', 'textarea'].includes(widget) && !immutable && !visible && name !== 'version' ? [name] : [];
  });
  const amounts = properties.flatMap(([name, schema]) => (traitsOf(schema)?.widget === 'money' ? [name] : []));
  return [
    ...texts.sort((one, other) => Number(isCode(one)) - Number(isCode(other))).map((name): [string, string, string] => [name, 'SampleOne', 'SampleTwo']),
    ...amounts.map((name): [string, number, number] => [name, 101, 102]),
  ];
}

ruleTest('form-version', 'every form of a versioned entity accepts the version', () => {
  expect(versionedEntities.length).toBeGreaterThanOrEqual(atLeast(25));
  const withoutVersion = versionedEntities.filter(({ submit }) => !('version' in (submit.input as TObject).properties));
  expect(withoutVersion.map(({ name }) => name)).toEqual([]);
});

ruleTest('stale-edit', 'an edit of any entity with an earlier version is refused with the row as it is, and changes nothing', async () => {
  await makeEditable();
  for (const one of versionedEntities) {
    const id = await rowOf(one);
    const before = await storedRow(one.entity, id);
    const replies: Reply[] = [];
    for (const [field, value] of editsOf(one)) {
      const reply = await post(one.submit, { id, version: '1', [field]: value });
      expect(await storedRow(one.entity, id)).toEqual(before);
      replies.push(reply);
      if (reply.code === 409) break;
    }
    const refused = replies.at(-1);
    expect(`${one.name}: ${replies.map(({ code, msg }) => `${code} ${msg}`)}`).toContain('409 ');
    expect({ name: one.name, data: refused?.data }).toMatchObject({ data: { current: { id, version: before.version }, changedAt: expect.any(String) } });
    expect(Object.keys(refused?.data).sort()).toEqual(['changedAt', 'changedBy', 'current']);
  }
});

/** Columns that every update sets. */
const serverColumns = ['version', 'update_time', 'update_user', 'updated_at'];

/** Describes the replies to edits of single fields, none of which was accepted. */
const refusedEdits = (name: string, replies: readonly (readonly [string, Reply])[]) =>
  replies.length === 0
    ? `${name}: its form has no text and no amount that a test could change`
    : `${name}: no edit of a single field was accepted: ${replies.map(([field, { code, msg }]) => `{ id, ${field} } was answered with ${code} ${msg}`).join('; ')}. ` +
      'Read a missing field from the stored row ({ ...before, ...form }), or state a row that can be edited in samples.ts: its form under forms, or statements that make it editable under beforeEdits';

ruleTest(
  'partial-edit',
  'an edit of any entity without a version changes only the fields it contains, and one with the current version is accepted',
  async () => {
    await makeEditable();
    const refused: string[] = [];
    for (const one of versionedEntities) {
      const id = await rowOf(one);
      const replies: [string, Reply][] = [];
      for (const [field, first, second] of editsOf(one)) {
        // The first edit also normalizes a seeded row.
        const reply = await post(one.submit, { id, [field]: first });
        replies.push([field, reply]);
        if (reply.code !== 200) continue;
        const before = await storedRow(one.entity, id);
        const edit = await post(one.submit, { id, [field]: second });
        expect(`${one.name}: ${edit.code} ${edit.msg}`, `${one.name}: an edit { id, ${field}: '${second}' } of the row is refused`).toContain(': 200 ');
        const after = await storedRow(one.entity, id);
        const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]) && !serverColumns.includes(name));
        const others = changed.filter((name) => name !== snakeCase(field));
        const reason = `${one.name}: an edit { id, ${field}: '${second}' } must change ${snakeCase(field)} alone${others.length > 0 ? `, but also changed ${others.join(', ')}` : ''}`;
        expect({ name: one.name, changed, value: [after[snakeCase(field)]].flat().map(String) }, reason).toEqual({
          name: one.name,
          changed: [snakeCase(field)],
          value: [String(second)],
        });
        const current = await post(one.submit, { id, [field]: first, version: after.version });
        expect(`${one.name}: ${current.code} ${current.msg}`, `${one.name}: an edit with the current version is refused`).toContain(': 200 ');
        break;
      }
      if (replies.at(-1)?.[1].code !== 200) refused.push(refusedEdits(one.name, replies));
      await removeAdded(one, id);
    }
    expect(refused).toEqual([]);
  },
);
