import { expect, test } from '@rstest/core';
import { type DeclaredDictionary, dictionary } from '#shared/fields';
import type { ServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { openTestServer, testServer } from '../../../support/test-server.ts';

test('dictionaries of plugins are written once behind the others, with their entries; a changed or deleted one stays as it is', async () => {
  const woods = dictionary({
    code: 'wood',
    title: ['木材', 'Woods'],
    entries: [
      ['oak', ['橡木', 'Oak']],
      ['pine', ['松木', 'Pine']],
    ],
  });
  const plugin = (...dictionaries: DeclaredDictionary[]): ServerPlugin => ({ id: 'carpentry', title: ['木工', 'Carpentry'], dictionaries });
  const own = await testServer({ plugins: ['dictionary', plugin(woods)] });
  const rows = () =>
    own.sql(
      "select code, dict_key as key, dict_value as value, dict_value_en as english, sort from dict where code in ('wood', 'sms') and is_deleted = 0 and dict_key in ('-1', 'oak', 'pine') order by id",
    );
  const [sms, ...written] = await rows();
  expect(written).toEqual([
    { code: 'wood', key: '-1', value: '木材', english: 'Woods', sort: Number(sms?.sort) + 2 },
    { code: 'wood', key: 'oak', value: '橡木', english: 'Oak', sort: 1 },
    { code: 'wood', key: 'pine', value: '松木', english: 'Pine', sort: 2 },
  ]);
  await own.sql("update dict set dict_value = '栎木' where dict_key = 'oak'");
  await own.sql("update dict set is_deleted = 1 where dict_key = 'pine'");
  const metals = dictionary({ code: 'metal', title: ['金属', 'Metals'], entries: [['tin', ['锡', 'Tin']]] });
  const again = await Promise.all([1, 2].map(() => openTestServer({ plugins: ['dictionary', plugin(woods, metals)], db: own.db })));
  await Promise.all(again.map((server) => server.stop()));
  expect((await rows()).map(({ value }) => value)).toEqual([sms?.value, '木材', '栎木']);
  expect(await own.sql("select dict_value as value from dict where code = 'metal' order by id")).toEqual([{ value: '金属' }, { value: '锡' }]);
});
