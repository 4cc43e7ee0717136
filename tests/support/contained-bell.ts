import { execFileSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { packedPlugin } from './package-archive.ts';

/** Builds the server from which contained plugins start, unless it is built. */
export const buildServer = (): void => void execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' });

const modules = ['#server', '#shared/contract', '#shared/menu-entry', '#shared/fields', 'typebox', 'drizzle-orm'];

/** Source of a server half with an entity, a screen and calls; `calls` are further routes and `contributions` further contributions. */
const source = (id: string, calls: string, contributions: string, before: string) => `
const { crudRoutes, defineServerPlugin, queryRows, repositoryOf, route, ApiError, problem } = globalThis.marqueeModules['#server'];
const { crud, entity, event, get, post, NoInput } = globalThis.marqueeModules['#shared/contract'];
const { Id, Integer, Text } = globalThis.marqueeModules['#shared/fields'];
const { menu } = globalThis.marqueeModules['#shared/menu-entry'];
const Type = globalThis.marqueeModules.typebox;
const { sql } = globalThis.marqueeModules['drizzle-orm'];
const id = '${id}';
const access = { code: id };
const Any = Type.Unsafe({});
const read = (name, handler, more = {}) => route(get('/api/${id}/' + name, { title: [name, name], access, input: Type.Object({ name: Type.Optional(Type.String()) }), reply: Any }), handler, more);
const write = (name, handler, more = {}) => route(post('/api/${id}/' + name, { title: [name, name], access, input: Type.Object({ name: Type.Optional(Type.String()) }), reply: Any }), handler, more);
const Bell = entity('${id}', { id: Id(), name: Text({ title: ['名称', 'Name'], maxLength: 20, search: true }), rings: Integer({ title: ['次数', 'Rings'], value: 0, form: false }) });
const bells = crud('/api/${id}/bell', Bell, { menu: '${id}' });
${before}
export default defineServerPlugin({
  id: '${id}',
  title: ['钟', 'Bell'],
  menus: [menu({ code: '${id}', title: ['钟', 'Bell'], path: '/${id}', buttons: ['add', 'edit', 'delete'] })],
  setup(context) {
    const { db, systemLog } = context;
    const rows = repositoryOf(db, Bell, {
      beforeSave(form) { if (form.name === 'cracked') throw new ApiError(problem(409, ['钟已破', 'The bell is cracked.'])); },
      async saved(after) { systemLog.log({ level: 'info', event: '${id}:saved', data: { name: after.name } }); },
    });
    return { routes: [crudRoutes(bells, rows), ${calls}], ${contributions} };
  },
});`;

export interface ContainedBell {
  readonly id?: string;
  readonly calls?: string;
  readonly contributions?: string;
  readonly before?: string;
  readonly migrations?: Readonly<Record<string, string>>;
  /** Changes of the version, in the words of its author. */
  readonly changes?: readonly string[];
  /** Ports that it asks for. */
  readonly ports?: object;
  /** Key that signs it, so that it runs inside the server. */
  readonly key?: KeyObject;
}

/** Packs a plugin without a signature, which a deployment with `UNSIGNED_PLUGINS=contained` runs in a process of its own. */
export const containedBell = ({
  id = 'bell',
  calls = '',
  contributions = '',
  before = '',
  migrations = {},
  changes = ['Bells ring.'],
  ports,
  key,
}: ContainedBell = {}): Promise<Buffer> =>
  packedPlugin({
    id,
    changes,
    ...(ports ? { ports } : {}),
    ...(key ? { key } : {}),
    server: source(id, calls, contributions, before),
    modules,
    migrations: {
      '0001-bell.sql': `create table ${id} (like tenant_row including all, name varchar(20) not null, rings integer not null default 0); call own_by_tenant('${id}');`,
      ...migrations,
    },
  });
