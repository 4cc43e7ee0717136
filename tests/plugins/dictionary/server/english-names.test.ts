import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { dict } from '#plugins/dictionary/contract';
import { searchRecords } from '#shared/record-uses';
import { dictionaryLabels } from '../../../../src/plugins/dictionary/server/dictionaries.ts';
import { seedDictionaries } from '../../../../src/plugins/dictionary/server/seed-dictionaries.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let admin: Record<string, string>;
let english: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary'] });
  admin = await server.signIn();
  english = { ...admin, 'accept-language': 'en' };
});
afterAll(() => server.stop());

const rowOf = async (key: string) =>
  (await server.get(dict.dictionary.path, { query: { code: 'sex' }, headers: admin })).data.find(({ dictKey }: { dictKey: string }) => dictKey === key);
const save = async (form: object) => {
  const reply = await server.post(dict.submit.path, form, { headers: admin });
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
};
const found = async (text: string, headers = english) => {
  const { data } = await server.get(searchRecords.path, { query: { q: text }, headers });
  return data.flatMap(({ records }: { records: { title: string }[] }) => records.map(({ title }) => title));
};

test('seeded dictionaries and entries have names in both languages, in labels and trees of each', async () => {
  expect(await rowOf('1')).toMatchObject({ dictValue: '男', dictValueEn: 'Male' });
  const nameless = await server.sql('select code, dict_key from dict where dict_value_en is null');
  expect(nameless).toEqual([]);
  const labels = await server.db.read({ tenantId: '000000' }, () => dictionaryLabels({ db: server.db })('sex'));
  expect(labels[0]).toEqual(['1', ['男', 'Male']]);
  const titles = async (headers: Record<string, string>) =>
    (await server.get(dict.parentTree.path, { headers })).data.slice(0, 2).map(({ title }: { title: string }) => title);
  expect(await titles(admin)).toEqual(['性别', '通知类型']);
  expect(await titles(english)).toEqual(['Sex', 'Notice types']);
});

test('lists filter by the English name, and the search finds it and answers in the language of its user', async () => {
  const { data } = await server.get(dict.parentList.path, { query: { dictValueEn: 'Position' }, headers: english });
  expect(data.records.map(({ code }: { code: string }) => code)).toEqual(['post_category']);
  await expect.poll(() => found('Position'), { timeout: 10_000 }).toEqual(['Position levels']);
  expect(await found('Position', admin)).toEqual(['岗位类型']);
});

test('a renamed row has its own name in every language until it gets an English one, also after an upgrade', async () => {
  const { id, version } = await rowOf('2');
  const renamed = await save({ id, version, dictValue: '女性' });
  expect(renamed).toMatchObject({ dictValue: '女性', dictValueEn: null });
  await server.db.asPlatform('seeds again', () => seedDictionaries({ db: server.db }));
  expect(await rowOf('2')).toMatchObject({ dictValue: '女性', dictValueEn: null });
  expect(await save({ id, version: renamed.version, dictValue: '女士', dictValueEn: 'Lady' })).toMatchObject({ dictValue: '女士', dictValueEn: 'Lady' });
});

test('an upgrade gives rows of earlier versions their English names', async () => {
  await server.sql("update dict set dict_value_en = null where code = 'post_category'");
  await server.sql("update dict set dict_value = '高管' where code = 'post_category' and dict_key = '1'");
  await server.db.asPlatform('seeds again', () => seedDictionaries({ db: server.db }));
  const rows = await server.sql("select dict_value_en as name from dict where code = 'post_category' order by dict_key");
  expect(rows.map(({ name }) => name)).toEqual(['Position levels', null, 'Middle', 'Junior', 'Other']);
});
