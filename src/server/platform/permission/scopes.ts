import { sql } from 'drizzle-orm';
import { parseCondition } from '#shared/scopes';
import type { RowScope, ScopePart } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { idArray, queryRows } from '../../data/database/rows.ts';
import { isAdministrator, type MenuSubject } from './granted-menus.ts';
import { matchesNothing, ruleScope, rulesOf, type ScopeRule } from './scope-rules.ts';

/** One data scope. */
interface ScopeRow {
  readonly entity: string;
  readonly type: number;
  readonly column: string | null;
  readonly fields: string;
  readonly value: string | null;
  /** Roles of the user that have the scope. */
  readonly scopedRoleIds: string[];
  /** Roles of the user that have its page. */
  readonly pageRoleIds: string[];
}

/** Grantee of data scopes: a user with roles, or roles alone, as in a preview of them. */
export type ScopeGrantee = MenuSubject & { readonly userId?: string };

const unlimited: ReadonlyMap<string, RowScope> = new Map();

/**
 * Reads a user's row scope for each entity with a data scope. Roles are united: a role with a page but no scope on its rows sees all of them. A rule of the user replaces what the
 * roles show.
 */
export async function dataScopesOf(db: Database, grantee: ScopeGrantee): Promise<ReadonlyMap<string, RowScope>> {
  if (isAdministrator(grantee.roles)) return unlimited;
  return db.read({ tenantId: grantee.tenantId }, async () => {
    const rules = await rulesOf(db, grantee);
    const rows = grantee.roleIds.length > 0 ? await scopeRows(db, grantee.roleIds) : [];
    const holders = await pageHolders(db, grantee.roleIds, new Set(rules.map(({ entity }) => entity)));
    const scopes = new Map<string, RowScope>();
    for (const entity of new Set([...rows, ...rules].map(({ entity }) => entity))) {
      const scope = scopeOfRoles(db, {
        rows: rows.filter((row) => row.entity === entity),
        rules: rules.filter((rule) => rule.entity === entity && rule.roleId !== null),
        holders: holders.get(entity) ?? [],
      });
      const own = rules.find((rule) => rule.entity === entity && rule.userId !== null);
      const ownPart = own && ruleScope(db, own);
      const combined = own ? { fields: scope?.fields, parts: ownPart && [ownPart] } : scope;
      if (combined) scopes.set(entity, combined);
    }
    return scopes;
  });
}

/** Reads the data scopes of pages, with the roles that have each and those that have its page. */
function scopeRows(db: Database, roleIds: readonly string[]): Promise<ScopeRow[]> {
  const roles = idArray(roleIds);
  return queryRows<ScopeRow>(
    db,
    sql`select coalesce(nullif(s.scope_class, ''), m.code) as entity, s.scope_type as type, s.scope_column as "column", s.scope_field as fields, s.scope_value as value,
          array(select rs.role_id::text from role_scope rs where rs.scope_category = 1 and rs.scope_id = s.id and rs.role_id = any(${roles})) as "scopedRoleIds",
          array(select rm.role_id::text from role_menu rm where rm.menu_id = s.menu_id and rm.role_id = any(${roles})) as "pageRoleIds"
        from data_scope s join menu m on m.id = s.menu_id and m.is_deleted = 0 where s.is_deleted = 0 order by s.id`,
  );
}

/** Returns by entity the roles that have a page which lists its rows. */
async function pageHolders(db: Database, roleIds: readonly string[], entities: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  if (entities.size === 0 || roleIds.length === 0) return new Map();
  const rows = await queryRows<{ code: string; roleId: string }>(
    db,
    sql`select m.code, rm.role_id::text as "roleId" from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = any(${idArray(roleIds)})`,
  );
  const holdersOf = (entity: string) => rows.filter(({ code }) => db.references.listCodesOf(entity).has(code)).map(({ roleId }) => roleId);
  return new Map([...entities].map((entity) => [entity, holdersOf(entity)]));
}

interface RoleGrants {
  readonly rows: readonly ScopeRow[];
  readonly rules: readonly ScopeRule[];
  readonly holders: readonly string[];
}

/** Unites what the roles show of an entity; undefined if one of them shows all. */
function scopeOfRoles(db: Database, { rows, rules, holders }: RoleGrants): RowScope | undefined {
  const assignedRows = rows.filter((row) => row.scopedRoleIds.length > 0);
  const fieldLimited = new Set(assignedRows.flatMap((row) => row.scopedRoleIds));
  const limited = new Set([...fieldLimited, ...rules.map(({ roleId }) => roleId)]);
  const hasFullAccess = limited.size === 0 || [...holders, ...rows.flatMap((row) => row.pageRoleIds)].some((role) => !limited.has(role));
  if (hasFullAccess) return undefined;
  const parts = [...assignedRows.map(partOf), ...rules.map((rule) => ruleScope(db, rule) ?? 'all')];
  const names = assignedRows.map(({ fields }) => fields.split(',').map((name) => name.trim()));
  const showsAllFields = [...limited].some((role) => !fieldLimited.has(role ?? '')) || names.some((list) => list.includes('*'));
  return { parts: parts.includes('all') ? undefined : (parts as ScopePart[]), fields: showsAllFields ? undefined : new Set(names.flat()) };
}

/** Converts a scope row; an unreadable condition matches nothing. */
function partOf({ type, column, value }: ScopeRow): ScopePart | 'all' {
  if (type === 1) return 'all';
  if (type === 2) return { kind: 'own', column: column || 'create_user' };
  if (type === 3) return { kind: 'dept', column: column || 'create_dept' };
  if (type === 4) return { kind: 'deptAndBelow', column: column || 'create_dept' };
  return { kind: 'custom', condition: parseCondition(value ?? '') ?? matchesNothing };
}
