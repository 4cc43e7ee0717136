import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { MayCall } from '../principal/principal.ts';
import { isAdministrator, type MenuSubject } from './granted-menus.ts';

/** An API scope, and whether it is granted to a user. */
export interface ApiScopeGrant {
  readonly name: string;
  readonly pattern: RegExp;
  readonly isGranted: boolean;
}

/** Returns the test of API scopes: a path that any scope covers is allowed only if a scope granted to the user covers it. Undefined if no scope restricts the user. */
export async function apiScopesOf(db: Database, grantee: MenuSubject): Promise<MayCall | undefined> {
  if (isAdministrator(grantee.roles)) return undefined;
  const scopes = await readApiScopeGrants(db, grantee);
  if (scopes.length === 0) return undefined;
  const cache = new Map<string, boolean>();
  return (addresses) => {
    const key = addresses[0] ?? '';
    const answer = cache.get(key) ?? isGrantedByAny(coveringScopes(scopes, addresses));
    cache.set(key, answer);
    return answer;
  };
}

/** Reads every API scope, and whether it is granted to the user. */
export async function readApiScopeGrants(db: Database, { tenantId, roleIds }: MenuSubject): Promise<ApiScopeGrant[]> {
  const rows = await db.read({ tenantId }, () =>
    queryRows<{ name: string; path: string; isGranted: boolean }>(
      db,
      sql`select s.scope_name as name, s.scope_path as path, exists (
            select 1 from role_scope rs where rs.scope_category = 2 and rs.scope_id = s.id and rs.role_id = any(${`{${roleIds.join(',')}}`}::bigint[])
          ) as "isGranted" from api_scope s where s.is_deleted = 0 order by s.id`,
    ),
  );
  return rows.map(({ name, path, isGranted }) => ({ name, pattern: patternOf(path), isGranted }));
}

/** Filters the scopes that cover a call. */
export const coveringScopes = (scopes: readonly ApiScopeGrant[], addresses: readonly string[]): readonly ApiScopeGrant[] =>
  scopes.filter(({ pattern }) => addresses.some((address) => pattern.test(address)));

const isGrantedByAny = (covering: readonly ApiScopeGrant[]): boolean => covering.length === 0 || covering.some(({ isGranted }) => isGranted);

/** Converts a path pattern: `*` matches within one segment, `**` any number of segments. */
function patternOf(path: string): RegExp {
  const text = path.split(/(\*{2,}|\*)/).map((part) => (part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : part.replace(/[.\\+?^${}()|[\]]/g, '\\$&')));
  return new RegExp(`^${text.join('')}$`);
}
