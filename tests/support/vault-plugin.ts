import * as Type from 'typebox';
import { crudRoutes, route } from '#server';
import { crud, entity, menu, NoContent, post } from '#shared/contract';
import { Id, Nullable, RichText, Secret, Select, Text } from '#shared/fields';
import { repositoryOf, tableOf } from '../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';

/** Entity with fields that are never stored as sent: formatted text and secrets. */
export const Vault = entity('vault', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true }),
  content: Nullable(RichText({ title: ['正文', 'Text'], list: true })),
  apiKey: Secret({ title: ['接口密钥', 'API key'] }),
  pin: Nullable(Secret({ title: ['口令', 'Pin'] })),
  mode: Select({
    title: ['方式', 'Mode'],
    default: 1,
    options: [
      [1, ['甲', 'One']],
      [2, ['乙', 'Two']],
    ],
  }),
});

export const vault = crud('/api/test/vault', Vault);
const WriteInput = Type.Object({ name: Text({ title: ['名称', 'Name'] }) });
/** Call in which the plugin itself writes: through its repository, and directly to the table. */
export const writeVault = post('/api/test/vault/write', { title: ['写入', 'Write'], access: 'signedIn', input: WriteInput, reply: NoContent });

export const evil = '<p onclick="x()">好</p><script>alert(1)</script><img src="x" onerror="alert(1)">';
export const safe = '<p>好</p><img src="x" />';

export const vaultPlugin: InstalledPlugin = {
  migrations: {
    '0001-vault.sql': `
      create table vault (like base_row including all, name varchar(64) not null, content text, api_key text not null, pin text, mode integer not null);
      call own_by_tenant('vault'); create unique index vault_name_unique on vault (tenant_id, name) where is_deleted = 0;`,
  },
  plugin: defineServerPlugin({
    id: 'vault',
    title: ['保管箱', 'Vaults'],
    menus: [
      menu({
        code: 'vault',
        title: ['保管箱', 'Vaults'],
        path: '/desk/vault',
        under: 'desk',
        buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
      }),
    ],
    setup({ db }) {
      const repository = repositoryOf(db, Vault, { unique: [{ fields: ['name'] }] });

      return {
        routes: [
          crudRoutes(vault, repository),
          route(writeVault, async ({ input: { name } }) => {
            await repository.save({ name: `${name} saved`, content: evil, apiKey: 'plain-saved', mode: 1 });
            await repository.addAll([{ name: `${name} added`, content: evil, apiKey: 'plain-added', mode: 1 }]);
            const table = tableOf(Vault);
            await db.sql.insert(table).values({ name: `${name} inserted`, content: evil, apiKey: db.encryption.encrypt('plain-inserted'), mode: 1 } as never);
            return null;
          }),
        ],
      };
    },
  }),
};
