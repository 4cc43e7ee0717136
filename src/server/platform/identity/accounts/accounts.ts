import { sql } from 'drizzle-orm';
import type { SecondFactorKind } from '#shared/second-factor';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { roleNameIn } from '../../permission/grantable-roles.ts';
import { type RoleChoice, withActiveRole } from './active-role.ts';
import { type PreviewedRoles, previewedRoles, withPreviewedRoles } from './role-preview.ts';

/** A user account that can sign in, with the facts that tokens and screens show. */
export interface Account {
  readonly userId: string;
  readonly tenantId: string;
  /** Null for accounts of the platform. */
  readonly tenantName?: string | null;
  readonly account: string;
  readonly name: string;
  readonly realName: string;
  readonly avatar: string;
  readonly passwordHash: string;
  /** True if the user must change the password before anything else. */
  readonly passwordExpired: boolean;
  /** True if an assigned password was not changed in time; it no longer signs anyone in. */
  readonly initialPasswordExpired: boolean;
  readonly phone: string | null;
  readonly email: string | null;
  /** Second factors; if there are any, sign-in requires one of them after the password. */
  readonly secondFactors: readonly SecondFactorKind[];
  /** True if a role requires a second factor. */
  readonly requiresSecondFactor: boolean;
  readonly roleIds: readonly string[];
  /** Role aliases. */
  readonly roles: readonly string[];
  /** Role names, in the order of `roleIds`. */
  readonly roleNames: readonly string[];
  /** Role names in English, in the same order; a role without an English name has its other name. */
  readonly roleNamesEn: readonly string[];
  /** The first is the department that new rows carry. */
  readonly deptIds: readonly string[];
  readonly postIds: readonly string[];
}

/** Selects a user's roles. A tenant may use any role alias, but only the platform's `administrator` role counts as administrator. */
const ownRoles = sql`
  from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1
  where ur.user_id = u.id and (r.role_alias <> 'administrator' or u.tenant_id = '000000')`;
const rolesOfUser = sql`${ownRoles} order by r.sort, r.id`;

const columns = sql`
  u.id::text as "userId", u.tenant_id as "tenantId", u.account,
  (select t.tenant_name from tenant t where t.tenant_id = u.tenant_id and u.tenant_id <> '000000' and t.is_deleted = 0) as "tenantName", u.name, u.real_name as "realName", coalesce(u.avatar, '') as avatar,
  u.password_hash as "passwordHash", u.password_expired as "passwordExpired",
  u.password_expired and coalesce(u.password_expires_at <= now(), false) as "initialPasswordExpired", u.phone, u.email,
  array(select 'totp' from second_factor f where f.user_id = u.id and f.confirmed_at is not null
    union all select 'passkey' where exists (select 1 from passkey p where p.user_id = u.id)) as "secondFactors",
  exists (select 1 ${ownRoles} and r.requires_second_factor) as "requiresSecondFactor",
  array(select r.id::text ${rolesOfUser}) as "roleIds",
  array(select r.role_alias::text ${rolesOfUser}) as roles,
  array(select ${roleNameIn('zh')} ${rolesOfUser}) as "roleNames",
  array(select ${roleNameIn('en')} ${rolesOfUser}) as "roleNamesEn",
  array(select ud.dept_id::text from user_dept ud where ud.user_id = u.id order by ud.sort, ud.dept_id) as "deptIds",
  array(select up.post_id::text from user_post up where up.user_id = u.id order by up.post_id) as "postIds"`;

/** Excludes deleted, disabled and locked accounts, and those of a deleted, disabled or expired tenant. */
const canSignIn = sql`u.is_deleted = 0 and u.status = 1 and not u.provider_locked and exists (
  select 1 from tenant t where t.tenant_id = u.tenant_id and t.is_deleted = 0 and t.status = 1 and (t.expire_time is null or t.expire_time > now()))`;

/** Tests whether the account has to set up a second factor before anything else. */
export const isSecondFactorMissing = ({ requiresSecondFactor, secondFactors }: Account): boolean => requiresSecondFactor && secondFactors.length === 0;

/** Finds an account by its name, ignoring case. Call it inside `read`. */
export async function findAccountByName(db: Database, tenantId: string, account: string): Promise<Account | undefined> {
  const [found] = await queryRows<Account>(
    db,
    sql`select ${columns} from user_account u where u.tenant_id = ${tenantId} and lower(u.account) = lower(${account}) and ${canSignIn}`,
  );
  return found;
}

/** Finds an account by an id from a verified token or a session. */
export async function findAccountById(db: Database, tenantId: string, userId: string): Promise<Account | undefined> {
  const [found] = await db.read({ tenantId }, () => queryRows<Account>(db, sql`select ${columns} from user_account u where u.id = ${userId} and ${canSignIn}`));
  return found;
}

/** An account within one of its sessions. */
export interface SessionAccount extends Account {
  readonly locked: boolean;
  /** Time of the last proof of identity in the session, in seconds since 1970; null if there was none. */
  readonly provenAt: number | null;
  /** Client type of the sign-in: `web`, `app` or `other`. */
  readonly userType: string;
  /** End of session or tenant, whichever comes first, in seconds since 1970. */
  readonly endsAt: number;
  /** True if the last recorded use of the session is more than two minutes ago. */
  readonly isIdle: boolean;
  /** The account with the user's own roles, while the user previews other roles. */
  readonly own?: Account;
}

/** Finds the account of a session that is active and not expired, reduced to the selected role and department and with previewed roles applied. */
export async function findSessionAccount(db: Database, tenantId: string, sid: string): Promise<SessionAccount | undefined> {
  const [found] = await db.read({ tenantId }, () =>
    queryRows<SessionAccount & { selected: RoleChoice; preview: PreviewedRoles | null }>(
      db,
      sql`select ${columns}, s.locked_at is not null as locked, extract(epoch from s.proven_at)::float8 as "provenAt", s.user_type as "userType", s.last_used_at < now() - interval '2 minutes' as "isIdle",
            extract(epoch from least(s.expires_at, (select min(t.expire_time) from tenant t where t.tenant_id = u.tenant_id and t.is_deleted = 0)))::float8 as "endsAt",
            json_build_object('deptId', s.dept_id::text, 'roleId', s.role_id::text) as selected,
            ${previewedRoles} as "preview" from session s join user_account u on u.id = s.user_id
          where s.id = ${sid}::uuid and s.revoked_at is null and s.expires_at > now() and ${canSignIn}`,
    ),
  );
  if (!found) return undefined;
  const { selected, preview, ...account } = found;
  const { locked, provenAt, userType, endsAt, isIdle } = account;
  const own = withActiveRole(account, selected);
  return { ...(preview ? { ...withPreviewedRoles(own, preview), own } : own), locked, provenAt, userType, endsAt, isIdle };
}
