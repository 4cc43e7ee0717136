import { defaultHours, MiniappSetting } from '#plugins/miniapp/contract';
import { notDeleted, type ServerContext, tableOf } from '#server';

const settings = tableOf(MiniappSetting);

/** Returns the limits and deadlines of the tenant's mini-app settings, or the defaults of the deployment. A `claimLimit` of 0 is no limit. */
export async function claimRules({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>) {
  const { claim_limit: claimLimit, submit_hours: submitHours, audit_hours: auditHours } = settings;
  const [saved] = await db.sql.select({ claimLimit, submitHours, auditHours }).from(settings).where(notDeleted(settings)).limit(1);
  if (saved) return saved;
  return {
    claimLimit: 0,
    submitHours: await parameters.integer(defaultHours.submit_hours),
    auditHours: await parameters.integer(defaultHours.audit_hours),
  };
}
