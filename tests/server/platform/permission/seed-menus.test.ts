import { expect, test } from '@rstest/core';
import { menu } from '#shared/menu-entry';
import { declaredMenus } from '../../../../src/server/platform/permission/declared-menus.ts';
import { seedMenus, updateSeededMenus } from '../../../../src/server/platform/permission/seed-menus.ts';
import { openTestServer } from '../../../support/test-server.ts';

const stock = menu({ code: 'stock', title: ['库存', 'Stock'], path: '/stock' });
const shop = menu({ code: 'shop', title: ['店铺', 'Shop'], path: '/shop' });
const lamps = { code: 'lamp', title: ['灯', 'Lamps'], path: '/lamp', icon: 'list', under: 'shop', buttons: ['add'] } as const;
const declared = (page: object) => declaredMenus([{ id: 'lamps', menus: [menu({ ...lamps, ...page })] }], [shop, stock]);

test('entries follow their changed declarations until a user edits them', async () => {
  const server = await openTestServer({ plugins: [] });
  try {
    await seedMenus(server.db, declared({}));
    await updateSeededMenus(server.db, declared({ title: ['灯具', 'Lighting'], icon: 'book', under: 'stock', path: '/lighting', sort: 7 }));
    const entry = () =>
      server.sql("select m.name, m.name_en, m.source, m.path, m.sort, p.code as parent from menu m join menu p on p.id = m.parent_id where m.code = 'lamp'");
    expect(await entry()).toEqual([{ name: '灯具', name_en: 'Lighting', source: 'book', path: '/lighting', sort: 7, parent: 'stock' }]);
    expect(await server.sql("select path from menu where code = 'lamp_add'")).toEqual([{ path: '/lighting/add' }]);
    await server.sql("update menu set name = '台灯', update_time = now() where code = 'lamp'");
    await updateSeededMenus(server.db, declared({}));
    expect(await entry()).toMatchObject([{ name: '台灯', path: '/lighting' }]);
  } finally {
    await server.stop();
  }
});
