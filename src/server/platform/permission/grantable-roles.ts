import { type SQL, sql } from 'drizzle-orm';
import type { Language, LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';

/** A role of the tenant, with the right of a user to grant it. */
export interface GrantableRole {
  readonly id: string;
  readonly name: string;
  /** Name in both languages. */
  readonly title: LocalizedText;
  readonly alias: string;
  /** True if the user may grant and revoke it. */
  readonly isGrantable: boolean;
  /** True if members keep the role and no one gets it. */
  readonly isArchived: boolean;
}

/** Selects the name of role `r` in a language. */
export const roleNameIn = (language: Language): SQL<string> =>
  language === 'en' ? sql`coalesce(nullif(r.role_name_en, ''), r.role_name)::text` : sql`r.role_name::text`;

/** Selects the name of role `r` in both languages. */
export const roleTitle = sql`json_build_array(${roleNameIn('zh')}, ${roleNameIn('en')})`;

/**
 * Lists every role of the tenant, archived ones included, and whether a user with `roleIds` may grant it: only roles without permissions the user lacks. A tenant's administrator (`admin`)
 * grants all but `administrator`, which only the platform's administrator grants.
 */
export function grantableRoles(db: Database, roleIds: readonly string[]): Promise<GrantableRole[]> {
  return queryRows<GrantableRole>(
    db,
    sql`with own as (select id, role_alias from role where id = any(${`{${roleIds.join(',')}}`}::bigint[]) and is_deleted <> 1),
          granted as (select menu_id from role_menu where role_id in (select id from own))
        select r.id::text as id, r.role_name as name, ${roleTitle} as title, r.role_alias as alias,
          exists (select from own where role_alias = 'administrator') or (r.role_alias <> 'administrator' and (
            exists (select from own where role_alias = 'admin')
            or (r.role_alias <> 'admin' and not exists (
              select from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0
              where rm.role_id = r.id and rm.menu_id not in (select menu_id from granted)))
          )) as "isGrantable", r.is_deleted <> 0 as "isArchived"
        from role r where r.is_deleted <> 1 order by r.sort, r.id`,
  );
}
