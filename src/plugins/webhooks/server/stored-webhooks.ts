import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Deployment, queryRows, type ServerContext, Webhooks } from '#server';
import type { WebhookData, WebhookEvent } from '#shared/contract';
import { webhookTested } from '../contract.ts';

/** The queue of events in the database. */
export class StoredWebhooks extends Webhooks {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'get'>) {
    super();
  }

  /** Lists the events of all running plugins. */
  events(): readonly WebhookEvent[] {
    const running = this.context
      .get(Deployment)
      .plugins()
      .filter(({ skippedReason }) => skippedReason === undefined);
    return running.flatMap(({ plugin }) => plugin.webhookEvents ?? []);
  }

  override async send<Event extends WebhookEvent>(event: Event, data: readonly WebhookData<Event>[]): Promise<void> {
    const { db } = this.context;
    const { tenantId } = db;
    if (tenantId === undefined) throw new Error('Events for webhooks must be sent in the work of a tenant.');
    if (!this.events().includes(event)) throw new Error(`No plugin declares the webhook event "${event.name}".`);
    const messages = data.map((one) => messageOf(event, one));
    await queryRows(
      db,
      sql`insert into webhook_delivery (tenant_id, endpoint_id, event, message_id, body, due_at)
          select e.tenant_id, e.id, ${event.name}, m.id, m.body, date_trunc('second', now())
          from webhook_endpoint e cross join jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m (id text, body text)
          where e.tenant_id = ${tenantId} and e.is_enabled and e.is_deleted = 0 and e.events @> to_jsonb(${event.name}::text)`,
    );
  }
}

/** Builds the message of an event; its id is the same for all endpoints. Fields of a wider object, such as a row, that the event does not declare are left out. */
function messageOf<Event extends WebhookEvent>({ name, data: schema }: Event, data: WebhookData<Event>): { readonly id: string; readonly body: string } {
  const fields: Readonly<Record<string, unknown>> = data;
  const declared = Object.fromEntries(Object.keys(schema.properties).map((field) => [field, fields[field]]));
  return { id: `msg_${randomUUID()}`, body: JSON.stringify({ type: name, timestamp: new Date().toISOString(), data: declared }) };
}

/** Builds the message of a test event. */
export const testMessage = (endpointId: string) => messageOf(webhookTested, { endpointId });
