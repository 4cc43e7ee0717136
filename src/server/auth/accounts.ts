import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import { actingAs, type Choice } from './acting-as.ts';
import { type PreviewedRoles, previewedRoles, previewing } from './previews.ts';

/** A person who may sign in, with what tokens and screens say about them. */
export interface Account {
  readonly userId: string;
  readonly tenantId: string;
  readonly account: string;
  readonly name: string;
  readonly realName: string;
  readonly avatar: string;
  readonly passwordHash: string;
  readonly passwordExpired: boolean;
  /** A code of an authenticator app is asked for besides the password. */
  readonly hasSecondFactor: boolean;
  readonly roleIds: readonly string[];
  /** Role aliases. */
  readonly roles: readonly string[];
  /** What the roles are called, in the order of their ids. */
  readonly roleNames: readonly string[];
  /** The first is the department whose name new rows bear. */
  readonly deptIds: readonly string[];
  readonly postIds: readonly string[];
}

/** A tenant may call a role what it likes; only the platform's administrator is one. */
const rolesOfUser = sql`
  from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
  where ur.user_id = u.id and (r.role_alias <> 'administrator' or u.tenant_id = '000000') order by r.sort, r.id`;

const columns = sql`
  u.id::text as "userId", u.tenant_id as "tenantId", u.account, u.name, u.real_name as "realName", coalesce(u.avatar, '') as avatar,
  u.password_hash as "passwordHash", u.password_expired as "passwordExpired",
  exists (select 1 from second_factor f where f.user_id = u.id and f.confirmed_at is not null) as "hasSecondFactor",
  array(select r.id::text ${rolesOfUser}) as "roleIds",
  array(select r.role_alias::text ${rolesOfUser}) as roles,
  array(select r.role_name::text ${rolesOfUser}) as "roleNames",
  array(select ud.dept_id::text from user_dept ud where ud.user_id = u.id order by ud.sort, ud.dept_id) as "deptIds",
  array(select up.post_id::text from user_post up where up.user_id = u.id order by up.post_id) as "postIds"`;

/** Nobody signs in with an account that is deleted or disabled, or whose tenant is, or has run out. */
const mayEnter = sql`u.is_deleted = 0 and u.status = 1 and exists (
  select 1 from tenant t where t.tenant_id = u.tenant_id and t.is_deleted = 0 and t.status = 1 and (t.expire_time is null or t.expire_time > now()))`;

/** The account of a name as it is typed at the login page, in whatever case. Call inside of `read`. */
export async function accountNamed(db: Database, tenantId: string, account: string): Promise<Account | undefined> {
  const [found] = await rowsOf<Account>(
    db,
    sql`select ${columns} from user_account u where u.tenant_id = ${tenantId} and lower(u.account) = lower(${account}) and ${mayEnter}`,
  );
  return found;
}

/** The account of an id that a verified token or a session named. */
export async function accountOf(db: Database, tenantId: string, userId: string): Promise<Account | undefined> {
  const [found] = await db.read({ tenantId }, () => rowsOf<Account>(db, sql`select ${columns} from user_account u where u.id = ${userId} and ${mayEnter}`));
  return found;
}

/** What is known of an account in one of its sessions. */
export interface SessionAccount extends Account {
  readonly locked: boolean;
  /** What they signed in with: `web`, `app` or `other`. */
  readonly userType: string;
  /** When session or tenant run out, in seconds since 1970. */
  readonly endsAt: number;
  /** Nobody has noted for two minutes that the session is in use. */
  readonly isIdle: boolean;
  /** The account as it is, where it looks at the console as other roles. */
  readonly own?: Account;
}

/** The account of a session that has neither ended nor run out, narrowed to what was chosen to act as in it, with the roles it is previewed with. */
export async function accountInSession(db: Database, tenantId: string, sid: string): Promise<SessionAccount | undefined> {
  const [found] = await db.read({ tenantId }, () =>
    rowsOf<SessionAccount & { chosen: Choice; roleSight: PreviewedRoles | null }>(
      db,
      sql`select ${columns}, s.locked_at is not null as locked, s.user_type as "userType", s.last_used_at < now() - interval '2 minutes' as "isIdle",
            extract(epoch from least(s.expires_at, (select min(t.expire_time) from tenant t where t.tenant_id = u.tenant_id and t.is_deleted = 0)))::float8 as "endsAt",
            json_build_object('deptId', s.dept_id::text, 'roleId', s.role_id::text) as chosen,
            ${previewedRoles} as "roleSight" from session s join user_account u on u.id = s.user_id
          where s.id = ${sid}::uuid and s.revoked_at is null and s.expires_at > now() and ${mayEnter}`,
    ),
  );
  if (!found) return undefined;
  const { chosen, roleSight, ...account } = found;
  const { locked, userType, endsAt, isIdle } = account;
  const own = actingAs(account, chosen);
  return { ...(roleSight ? { ...previewing(own, roleSight), own } : own), locked, userType, endsAt, isIdle };
}
