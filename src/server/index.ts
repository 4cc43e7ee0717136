export { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
export { problem, problems, Refusal } from '#shared/errors';
export type { Principal } from './auth/principal.ts';
export { forgetPrincipals } from './auth/principal-cache.ts';
export * from './db/index.ts';
export { Parameters } from './parameters.ts';
export { type CallRequest, defineServerPlugin, type Handler, type InstalledPlugin, type ServerContext, type ServerPlugin } from './plugin.ts';
export { rowsOf } from './rows.ts';
