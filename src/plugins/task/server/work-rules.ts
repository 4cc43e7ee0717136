import { sql } from 'drizzle-orm';
import { MiniappSetting, presetHours } from '#plugins/miniapp/contract';
import { queryRows, type ServerContext, tableOf } from '#server';

/** Limits and deadlines a tenant sets for workers. */
interface WorkRules {
  /** Maximum number of open claims per user; 0 is no limit. */
  readonly claimLimit: number;
  readonly submitHours: number;
  readonly auditHours: number;
}

/** Returns the rules of the tenant's mini-app settings, or the defaults of the deployment. */
export async function workRules({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>): Promise<WorkRules> {
  const [saved] = await queryRows<WorkRules>(
    db,
    sql`select claim_limit as "claimLimit", submit_hours as "submitHours", audit_hours as "auditHours" from ${tableOf(MiniappSetting)} where is_deleted = 0 limit 1`,
  );
  if (saved) return saved;
  return {
    claimLimit: 0,
    submitHours: await parameters.whole(presetHours.submit_hours),
    auditHours: await parameters.whole(presetHours.audit_hours),
  };
}
