import { beforeAll, expect } from '@rstest/core';
import type { Call, Crud } from '#shared/contract';
import { atLeast } from '../support/checked-plugins.ts';
import type { Reply, TestServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { contractServer, ruleTest } from './contract-server.ts';
import type { SampleForms } from './sample-forms.ts';

let server: TestServer;
let headers: Record<string, string>;
let forms: SampleForms;

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  forms = await contract.forms();
});

const send = ({ method, path }: Call, input: Record<string, unknown>): Promise<Reply> =>
  method === 'GET' ? server.get(path, { headers, query: input as Record<string, string> }) : server.post(path, input, { headers });

interface IdRow {
  readonly id: string;
  readonly children?: readonly IdRow[];
}

const flat = (rows: readonly IdRow[]): IdRow[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);

/** Tests whether one of the newest 200 rows of a list is this one. */
async function isIn(call: Call, id: string): Promise<boolean> {
  const { data } = await send(call, { size: '200' });
  return flat(Array.isArray(data) ? data : data.records).some((row) => row.id === id);
}

const add = async (name: string, crud: Crud) => (await forms.add(name, crud))?.data.id as string | undefined;
const accepted = async (name: string, call: Call, id: string) => {
  const { code, msg } = await send(call, { ids: [id] });
  expect({ name, path: call.path, code, msg }).toEqual({ name, path: call.path, code: 200, msg });
};

ruleTest(
  'recycle-bin',
  'the recycle bin of every list with a deletion shows the deleted row and restores it',
  async () => {
    const screens = census().cruds.filter(({ crud }) => crud.recycled);
    expect(screens.length).toBeGreaterThanOrEqual(atLeast(11));
    for (const { name, crud } of screens) {
      const id = await add(name, crud);
      if (id === undefined) continue;
      await accepted(name, crud.remove, id);
      const { data } = await send(crud.recycled as Call, { size: '200' });
      expect({ name, row: data.records.find((row: IdRow) => row.id === id) }).toMatchObject({ name, row: { deletedBy: expect.stringMatching(/./) } });
      await accepted(name, crud.restore, id);
      expect({ name, isLeft: await isIn(crud.recycled as Call, id), detail: (await send(crud.detail, { id })).code }).toEqual({
        name,
        isLeft: false,
        detail: 200,
      });
      await accepted(name, crud.remove, id);
    }
  },
  120_000,
);

ruleTest(
  'archive',
  'every archivable row leaves its list, stays readable and read-only, and comes back',
  async () => {
    const screens = census().cruds.filter(({ crud }) => crud.archive);
    expect(screens.length).toBeGreaterThanOrEqual(atLeast(9));
    for (const { name, crud } of screens) {
      const id = await add(name, crud);
      if (id === undefined) continue;
      await accepted(name, crud.archive as Call, id);
      expect({ name, listed: await isIn(crud.list, id), archived: await isIn(crud.archived as Call, id) }).toEqual({ name, listed: false, archived: true });
      expect(await send(crud.detail, { id })).toMatchObject({ code: 200, data: { id } });
      expect({ name, status: (await send(crud.remove, { ids: [id] })).status }).toEqual({ name, status: 409 });
      await accepted(name, crud.unarchive as Call, id);
      expect({ name, archived: await isIn(crud.archived as Call, id), detail: (await send(crud.detail, { id })).data }).toMatchObject({
        name,
        archived: false,
        detail: { isDeleted: 0 },
      });
      await accepted(name, crud.remove, id);
    }
  },
  120_000,
);
