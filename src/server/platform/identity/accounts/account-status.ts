import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** Values of the column `status` of an account. Only enabled accounts can sign in. */
export const accountStatus = { enabled: 1, disabled: 2, awaitingApproval: 3 } as const;

/** Enables an account that awaits approval, in its first department. */
export async function approveAccount(
  db: Database,
  userId: string,
  { deptId, by }: { readonly deptId: string | undefined; readonly by: string },
): Promise<void> {
  await queryRows(
    db,
    sql`update user_account set status = ${accountStatus.enabled}, create_dept = ${deptId ?? null}, update_user = ${by}, update_time = now()
        where id = ${userId} and status = ${accountStatus.awaitingApproval}`,
  );
}

/** Removes an account that awaits approval. */
export async function removeApplicant(db: Database, userId: string, by: string): Promise<void> {
  await queryRows(
    db,
    sql`update user_account set is_deleted = 1, update_user = ${by}, update_time = now() where id = ${userId} and status = ${accountStatus.awaitingApproval}`,
  );
}
