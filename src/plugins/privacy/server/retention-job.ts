import { sql } from 'drizzle-orm';
import { PersonalData, type Processor, queryRows, type ServerContext } from '#server';

/** Job that erases personal data whose retention has ended, in all tenants. */
export const retentionJob = ({ db, get, parameters }: Pick<ServerContext, 'db' | 'get' | 'parameters'>): Processor => ({
  title: ['清除到期的个人数据', 'Erase outdated personal data'],
  help: [
    '按各租户的保留天数清除已到期的个人数据，付款与法律要求保留的除外；无参数',
    'Erases personal data after the retention that each tenant has set, except data kept for legal or accounting reasons. No parameters',
  ],
  platformOnly: true,
  schedules: [{ key: 'daily', title: ['清除到期的个人数据', 'Erase outdated personal data'], cron: '0 50 3 * * ?' }],
  async run({ signal, log }) {
    const data = get(PersonalData);
    const tenants = await db.asPlatform('lists the tenants whose outdated personal data is erased', () =>
      queryRows<{ tenantId: string }>(db, sql`select tenant_id as "tenantId" from tenant where is_deleted = 0 order by id`),
    );
    let count = 0;
    for (const { tenantId } of tenants) {
      signal.throwIfAborted();
      const erased = await data.eraseOutdated({ tenantId, daysOf: (parameter) => parameters.integer(parameter, tenantId), signal });
      for (const { table, rows } of erased) {
        log('info', `${tenantId}: ${table}: ${rows}`);
        count += rows;
      }
    }
    return String(count);
  },
});
