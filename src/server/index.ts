export { problem, problems, Refusal } from '#shared/errors';
export { nodesOf, treeOf } from '#shared/tree';
export { type Actor, actingAs, currentActor } from './audit/actor.ts';
export type { Principal } from './auth/principal.ts';
export { forgetPrincipals, type Stale } from './auth/principal-cache.ts';
export { Database, type Scope, type Sql } from './db/database.ts';
export {
  type Repository,
  type RepositoryOptions,
  repositoryOf,
  type TreeOptions,
  type TreeRepository,
  treeRepositoryOf,
  type Writing,
} from './db/repository.ts';
export { type TableOf, tableOf } from './db/table.ts';
export { Parameters } from './parameters.ts';
export { type CallRequest, defineServerPlugin, type Handler, type InstalledPlugin, type ServerContext, type ServerPlugin } from './plugin.ts';
export { rowsOf } from './rows.ts';
