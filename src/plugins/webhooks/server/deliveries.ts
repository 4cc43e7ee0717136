import { sql } from 'drizzle-orm';
import {
  ApiError,
  type Database,
  idArray,
  type PluginRoute,
  type Processor,
  problems,
  queryRows,
  type Repository,
  repositoryOf,
  route,
  runBatch,
  type ServerContext,
  visibleRows,
} from '#server';
import { Delivery, deliveryStates, type Endpoint, webhookDelivery, webhookEndpoint, webhookProblems, webhookTested } from '../contract.ts';
import { isGivenUp } from './endpoints.ts';
import type { Sender } from './sender.ts';
import { testMessage } from './stored-webhooks.ts';

const keptDays = 30;
const batchSize = 1000;
const maxTestsPerMinute = 10;
const { queued, sending, failed } = deliveryStates;

/** Serves the log of deliveries, and sends events again. */
export function deliveryRoutes({ db }: Pick<ServerContext, 'db'>, endpoints: Repository<typeof Endpoint>, sender: Sender): PluginRoute[] {
  const deliveries = repositoryOf(db, Delivery, { noTotal: true });

  return [
    route(webhookDelivery.list, ({ input }) => deliveries.page(input)),
    route(webhookDelivery.detail, ({ input }) => deliveries.detail(input.id)),
    route(webhookDelivery.resend, (request) => runBatch(db, Delivery, request, (ids) => resend(db, ids))),
    route(webhookEndpoint.resendFailed, async ({ input }) => {
      const { id, isEnabled } = await endpoints.detail(input.id);
      if (!isEnabled) throw new ApiError(webhookProblems.disabled);
      const resent = await queryRows(
        db,
        sql`update webhook_delivery d set state = ${queued}, attempts = 0, failure = null, due_at = date_trunc('second', now())
            where d.endpoint_id = ${id} and ${isGivenUp} and ${visibleRows(db, 'webhook_delivery', 'd')} returning d.id`,
      );
      return { count: resent.length };
    }),
    route(
      webhookEndpoint.test,
      async ({ input, principal: { tenantId } }) => {
        const message = testMessage(input.id);
        const id = await db.write({ tenantId }, async () => {
          await endpoints.detail(input.id);
          return insertTest(db, input.id, message);
        });
        await sender.sendNow(tenantId, input.id, { id, attempts: 1, messageId: message.id, body: message.body });
        return db.read({ tenantId }, () => deliveries.detail(id));
      },
      { manualTransactions: true },
    ),
  ];
}

async function insertTest(db: Database, endpointId: string, { id, body }: ReturnType<typeof testMessage>): Promise<string> {
  await db.lock('webhook tests');
  const [recent] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::integer as count from webhook_delivery where event = ${webhookTested.name} and create_time > now() - interval '1 minute'`,
  );
  if ((recent?.count ?? 0) >= maxTestsPerMinute) throw new ApiError(webhookProblems.tooOften);
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`insert into webhook_delivery (endpoint_id, event, message_id, body, state, attempts, attempted_at)
        values (${endpointId}, ${webhookTested.name}, ${id}, ${body}, ${sending}, 1, date_trunc('second', now())) returning id::text as id`,
  );
  return row?.id ?? '';
}

/** Queues deliveries to be sent at once, all or none. */
async function resend(db: Database, ids: readonly string[]): Promise<void> {
  const rows = await queryRows<{ state: number; isEnabled: boolean }>(
    db,
    sql`select d.state, e.is_enabled and e.is_deleted = 0 as "isEnabled" from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
        where d.id = any(${idArray(ids)}) and ${visibleRows(db, 'webhook_delivery', 'd')} order by d.id for update of d`,
  );
  if (rows.length < new Set(ids).size) throw new ApiError(problems.notFound);
  if (rows.some(({ isEnabled }) => !isEnabled)) throw new ApiError(webhookProblems.disabled);
  if (rows.some(({ state }) => state === sending)) throw new ApiError(webhookProblems.sending);
  await queryRows(
    db,
    sql`update webhook_delivery set state = ${queued}, attempts = 0, failure = null, due_at = date_trunc('second', now()) where id = any(${idArray(ids)})`,
  );
}

/** Job that deletes old deliveries of all tenants. */
export const purgeDeliveries = ({ db }: Pick<ServerContext, 'db'>): Processor => ({
  title: ['清理 Webhook 投递记录', 'Delete old webhook deliveries'],
  help: [`删除所有租户 ${keptDays} 天前的投递记录；无参数`, `Deletes deliveries of all tenants that are older than ${keptDays} days; takes nothing`],
  platformOnly: true,
  schedules: [{ key: 'daily', title: ['清理 Webhook 投递记录', 'Delete old webhook deliveries'], cron: '0 40 3 * * ?' }],
  async run({ signal, log }) {
    // A test event is not tried again: if its server stopped while sending it, it counts as failed.
    await db.asPlatform('gives up test events whose server stopped', () =>
      queryRows(
        db,
        sql`update webhook_delivery set state = ${failed}, failure = 'connection' where state = ${sending} and due_at is null and create_time < now() - interval '1 hour'`,
      ),
    );
    let count = 0;
    for (let deleted = batchSize; deleted === batchSize && !signal.aborted; count += deleted) {
      const rows = await db.asPlatform('deletes old deliveries of all tenants', () =>
        queryRows(
          db,
          sql`delete from webhook_delivery where id in (
              select id from webhook_delivery where create_time < now() - make_interval(days => ${keptDays}) order by create_time limit ${batchSize}) returning 1 as deleted`,
        ),
      );
      deleted = rows.length;
    }
    log('info', `${count} deliveries deleted`);
    return String(count);
  },
});
