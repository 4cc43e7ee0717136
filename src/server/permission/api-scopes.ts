import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import { type Grantee, isAdministrator } from './granted-menus.ts';

/** Whether a call that is answered at these addresses may be made, as far as API scopes say. */
export type MayCall = (addresses: readonly string[]) => boolean;

/** An API scope as somebody meets it. */
export interface MetApiScope {
  readonly name: string;
  readonly pattern: RegExp;
  readonly isGranted: boolean;
}

/** Of addresses that any API scope covers, somebody may call those that one of theirs covers. Nothing where no scope limits them. */
export async function apiScopesOf(db: Database, grantee: Grantee): Promise<MayCall | undefined> {
  if (isAdministrator(grantee.roles)) return undefined;
  const scopes = await metApiScopes(db, grantee);
  if (scopes.length === 0) return undefined;
  const known = new Map<string, boolean>();
  return (addresses) => {
    const key = addresses[0] ?? '';
    const answer = known.get(key) ?? judged(coveringScopes(scopes, addresses));
    known.set(key, answer);
    return answer;
  };
}

/** Every API scope, and whether somebody was given it. */
export async function metApiScopes(db: Database, { tenantId, roleIds }: Grantee): Promise<MetApiScope[]> {
  const rows = await db.read({ tenantId }, () =>
    rowsOf<{ name: string; path: string; isGranted: boolean }>(
      db,
      sql`select s.scope_name as name, s.scope_path as path, exists (
            select 1 from role_scope rs where rs.scope_category = 2 and rs.scope_id = s.id and rs.role_id = any(${`{${roleIds.join(',')}}`}::bigint[])
          ) as "isGranted" from api_scope s where s.is_deleted = 0 order by s.id`,
    ),
  );
  return rows.map(({ name, path, isGranted }) => ({ name, pattern: patternOf(path), isGranted }));
}

/** Those of some scopes that cover a call. */
export const coveringScopes = (scopes: readonly MetApiScope[], addresses: readonly string[]): readonly MetApiScope[] =>
  scopes.filter(({ pattern }) => addresses.some((address) => pattern.test(address)));

const judged = (covering: readonly MetApiScope[]): boolean => covering.length === 0 || covering.some(({ isGranted }) => isGranted);

/** `*` is any part of one step of a path, `**` any number of steps. */
function patternOf(path: string): RegExp {
  const text = path.split(/(\*{2,}|\*)/).map((part) => (part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : part.replace(/[.\\+?^${}()|[\]]/g, '\\$&')));
  return new RegExp(`^${text.join('')}$`);
}
