import { type SQL, sql } from 'drizzle-orm';
import { tableOf } from '#server';
import { Notice } from '../contract.ts';

const { audience, departments, roles } = tableOf(Notice);

/** Condition that a notice is addressed to a user: through one of its departments or their descendants, or one of its roles. */
export const isFor = (user: SQL): SQL => sql`(
  ${audience} = 'all'
  or ${audience} = 'departments' and exists (
    select from user_dept ud join dept d on d.id = ud.dept_id and d.is_deleted = 0
    where ud.user_id = ${user} and jsonb_exists_any(${departments}, string_to_array(d.ancestors, ',') || d.id::text))
  or ${audience} = 'roles' and exists (
    select from user_role ur where ur.user_id = ${user} and jsonb_exists(${roles}, ur.role_id::text)))`;
