import { sql } from 'drizzle-orm';
import type { Condition } from '#shared/condition';
import { parseCondition } from '#shared/scopes';
import type { RowScope, ScopePart } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { isAdministrator, type MenuSubject } from './granted-menus.ts';

/** One data scope, with the user's roles that have it and those that have its page. */
interface ScopeRow {
  readonly entity: string;
  readonly type: number;
  readonly column: string | null;
  readonly fields: string;
  readonly value: string | null;
  readonly given: string[];
  readonly holders: string[];
}

const unlimited: ReadonlyMap<string, RowScope> = new Map();

/** Reads a user's row scope for each entity with a data scope. Roles are united: a role with a page but no scope on it sees all rows. */
export async function dataScopesOf(db: Database, grantee: MenuSubject): Promise<ReadonlyMap<string, RowScope>> {
  if (isAdministrator(grantee.roles) || grantee.roleIds.length === 0) return unlimited;
  const roles = sql`${`{${grantee.roleIds.join(',')}}`}::bigint[]`;
  const rows = await db.read({ tenantId: grantee.tenantId }, () =>
    queryRows<ScopeRow>(
      db,
      sql`select coalesce(nullif(s.scope_class, ''), m.code) as entity, s.scope_type as type, s.scope_column as "column", s.scope_field as fields, s.scope_value as value,
            array(select rs.role_id::text from role_scope rs where rs.scope_category = 1 and rs.scope_id = s.id and rs.role_id = any(${roles})) as given,
            array(select rm.role_id::text from role_menu rm where rm.menu_id = s.menu_id and rm.role_id = any(${roles})) as holders
          from data_scope s join menu m on m.id = s.menu_id and m.is_deleted = 0 where s.is_deleted = 0 order by s.id`,
    ),
  );
  const scopes = new Map<string, RowScope>();
  for (const entity of new Set(rows.map((row) => row.entity))) {
    const about = rows.filter((row) => row.entity === entity);
    const assignedRows = about.filter((row) => row.given.length > 0);
    const scoped = new Set(assignedRows.flatMap((row) => row.given));
    const hasFullAccess = assignedRows.length === 0 || about.some(({ holders }) => holders.some((role) => !scoped.has(role)));
    if (!hasFullAccess) scopes.set(entity, unionOf(assignedRows));
  }
  return scopes;
}

function unionOf(rows: readonly ScopeRow[]): RowScope {
  const parts = rows.map(partOf);
  const names = rows.map(({ fields }) => fields.split(',').map((name) => name.trim()));
  return {
    parts: parts.includes('all') ? undefined : (parts as ScopePart[]),
    fields: names.some((list) => list.includes('*')) ? undefined : new Set(names.flat()),
  };
}

/** Converts a scope row; an unreadable condition matches nothing. */
function partOf({ type, column, value }: ScopeRow): ScopePart | 'all' {
  if (type === 1) return 'all';
  if (type === 2) return { kind: 'own', column: column || 'create_user' };
  if (type === 3) return { kind: 'dept', column: column || 'create_dept' };
  if (type === 4) return { kind: 'deptAndBelow', column: column || 'create_dept' };
  const nothing: Condition = { any: [] };
  return { kind: 'custom', condition: parseCondition(value ?? '') ?? nothing };
}
