import { crudRoutes } from '#server';
import { repositoryOf } from '../../../../src/server/data/repository/repository.ts';
import type { InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { crud, entity, menu } from '../../../../src/shared/contract/contract.ts';
import { DateTime, Id, Integer, Money, Nullable, Secret, Select, Text } from '../../../../src/shared/contract/fields.ts';

/** An entity with a field of every kind that sheets treat in a special way. */
export const Ware = entity('ware', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, sort: true }),
  kind: Select({
    title: ['类别', 'Kind'],
    search: true,
    options: [
      [1, ['甲', 'First']],
      [2, ['乙', 'Second']],
    ],
    default: 1,
  }),
  price: Money({ title: ['单价', 'Price'], default: 0 }),
  pieces: Integer({ title: ['件数', 'Pieces'], minimum: 0, sort: true }),
  opensAt: Nullable(DateTime({ title: ['上架时间', 'On sale from'], sort: true })),
  key: Secret({ title: ['密钥', 'Key'], requiredWhen: { field: 'pieces', is: -1 } }),
});

export const ware = crud('/api/test/ware', Ware);
export const wareMenu = menu({
  code: 'ware',
  title: ['货品', 'Wares'],
  path: '/desk/ware',
  under: 'desk',
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const warePlugin: InstalledPlugin = {
  migrations: {
    '0001-ware.sql': `
      create table ware (like base_row including all, name varchar(64) not null, kind integer not null default 1, price bigint not null default 0,
        pieces integer not null, opens_at timestamptz(0), key text);
      call own_by_tenant('ware');
      create unique index ware_once on ware (tenant_id, name) where is_deleted = 0;
      call sort_by('ware', 'name'); call sort_by('ware', 'pieces'); call sort_by('ware', 'opens_at');`,
  },
  plugin: defineServerPlugin({
    id: 'ware',
    title: ['货品', 'Wares'],
    menus: [wareMenu],
    setup({ db }) {
      return {
        routes: [crudRoutes(ware, repositoryOf(db, Ware, { unique: [{ fields: ['name'] }] }))],
      };
    },
  }),
};
