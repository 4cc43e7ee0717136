import { sql } from 'drizzle-orm';
import {
  ApiError,
  type CallRequest,
  crudRoutes,
  type Database,
  EgressError,
  idArray,
  type PluginRoute,
  queryRows,
  type Repository,
  repositoryOf,
  route,
  type ServerContext,
} from '#server';
import { localize } from '#shared/text';
import { deliveryStates, Endpoint, type EndpointActivity, type EndpointRow, webhookEndpoint, webhookProblems, webhookTested } from '../contract.ts';
import { generateSecret } from './signing.ts';
import type { StoredWebhooks } from './stored-webhooks.ts';

/** Hours for which requests are also signed with the former secret. */
const overlapHours = 24;
const maxEndpoints = 20;
const loopbackHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Repository of endpoints. An address is https, or one of this machine that the deployment allows, as in development. */
export function endpointsOf({ db, egress }: Pick<ServerContext, 'db' | 'egress'>, webhooks: StoredWebhooks): Repository<typeof Endpoint> {
  return repositoryOf(db, Endpoint, {
    unique: [{ fields: ['name'] }],
    async beforeSave({ url, events }, before) {
      if (url !== undefined && url !== before?.url) assertAddress(egress, url);
      const known = new Set<string>(webhooks.events().map(({ name }) => name));
      const unknown = events?.find((name) => !(known.has(name) || before?.events.includes(name)));
      if (unknown !== undefined) throw new ApiError(webhookProblems.unknownEvent, { name: unknown }, { field: 'events' });
    },
    async saved({ id, isEnabled }, before) {
      if (!before) await assertFewEndpoints(db);
      if (isEnabled && before?.isEnabled === false)
        await queryRows(db, sql`update webhook_endpoint set disabled_reason = null, failing_since = null where id = ${id}`);
    },
  });
}

function assertAddress(egress: ServerContext['egress'], text: string): void {
  const url = new URL(text);
  if (url.username || url.password) throw new ApiError(webhookProblems.credentials, {}, { field: 'url' });
  try {
    egress.check(url);
  } catch (error) {
    if (error instanceof EgressError) throw new ApiError(webhookProblems.internal, {}, { field: 'url', cause: error });
    throw error;
  }
  if (url.protocol !== 'https:' && !loopbackHost.test(url.hostname)) throw new ApiError(webhookProblems.notHttps, {}, { field: 'url' });
}

async function assertFewEndpoints(db: Database): Promise<void> {
  await db.lock('webhook endpoints');
  const [found] = await queryRows<{ count: number }>(db, sql`select count(*)::integer as count from webhook_endpoint where is_deleted = 0`);
  if ((found?.count ?? 0) > maxEndpoints) throw new ApiError(webhookProblems.tooMany);
}

/** Serves the administration of endpoints. */
export function endpointRoutes({ db }: Pick<ServerContext, 'db'>, endpoints: Repository<typeof Endpoint>, webhooks: StoredWebhooks): PluginRoute[] {
  /** Stores a new secret and returns it; the former one stays valid for a while. */
  const renewSecret = async (id: string) => {
    const secret = generateSecret();
    await queryRows(
      db,
      sql`update webhook_endpoint set former_secret = secret, former_secret_until = date_trunc('second', now()) + make_interval(hours => ${overlapHours}),
            secret = ${db.encryption.encrypt(secret)}, update_time = date_trunc('second', now()) where id = ${id}`,
    );
    return secret;
  };
  const submit = async ({ input }: CallRequest<typeof webhookEndpoint.submit>) => {
    const row = await endpoints.save(input);
    if (input.id) return endpoints.detail(row.id);
    const secret = generateSecret();
    await queryRows(db, sql`update webhook_endpoint set secret = ${db.encryption.encrypt(secret)} where id = ${row.id}`);
    return { ...row, secret };
  };

  return [
    crudRoutes(webhookEndpoint, endpoints, { search: { fields: ['name'], subtitle: ['url'], actions: { webhook_edit: true, webhook_test: true } } }),
    route(webhookEndpoint.list, async ({ input }) => {
      const page = await endpoints.page(input);
      return { ...page, records: await withActivity(db, page.records) };
    }),
    route(webhookEndpoint.submit, submit, { noStore: true }),
    route(webhookEndpoint.events, async ({ language }) =>
      webhooks
        .events()
        .filter(({ name }) => name !== webhookTested.name)
        .map(({ name, title, data }) => ({ name, title: `${localize(title, language)} · ${name}`, fields: Object.keys(data.properties) })),
    ),
    route(
      webhookEndpoint.rotateSecret,
      async ({ input }) => {
        const { id } = await endpoints.detail(input.id);
        const secret = await renewSecret(id);
        return { secret, formerSecretUntil: (await endpoints.detail(id)).formerSecretUntil ?? '' };
      },
      { noStore: true },
    ),
  ];
}

const noActivity: EndpointActivity = { delivered: 0, failed: 0, givenUp: 0, lastDelivery: null };

/** Condition of deliveries `d` that were given up and can be sent again; a test event is not repeated. */
export const isGivenUp = sql`d.state = ${deliveryStates.failed} and d.event <> ${webhookTested.name}`;

/** Adds the activity of the last 24 hours to rows. */
async function withActivity(db: Database, rows: readonly EndpointRow[]): Promise<(EndpointRow & EndpointActivity)[]> {
  const found = await queryRows<EndpointActivity & { id: string }>(
    db,
    sql`select e.id::text as id, coalesce(day.delivered, 0)::integer as delivered, coalesce(day.failed, 0)::integer as failed,
          (select count(*)::integer from webhook_delivery d where d.endpoint_id = e.id and ${isGivenUp}) as "givenUp",
          (select jsonb_build_object('state', d.state, 'time', to_char(d.create_time, 'YYYY-MM-DD HH24:MI:SS')) from webhook_delivery d
            where d.endpoint_id = e.id order by d.create_time desc, d.id desc limit 1) as "lastDelivery"
        from webhook_endpoint e
        left join lateral (select count(*) filter (where d.state = 2) as delivered, count(*) filter (where d.state <> 2 and d.failure is not null) as failed
          from webhook_delivery d where d.endpoint_id = e.id and d.create_time > now() - interval '24 hours') day on true
        where e.id = any(${idArray(rows.map(({ id }) => id))})`,
  );
  const byId = new Map(found.map(({ id, ...activity }) => [id, activity]));
  return rows.map((row) => ({ ...row, ...(byId.get(row.id) ?? noActivity) }));
}
