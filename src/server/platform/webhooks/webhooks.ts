import type { WebhookData, WebhookEvent } from '#shared/contract';

/** Sends events of plugins to the servers that tenants have registered for them. One plugin shares the service; without it nothing is sent. */
export abstract class Webhooks {
  /**
   * Queues one event for each entry of `data` as part of the current transaction, which must be restricted to a tenant; after a rollback nothing is sent. It queues nothing
   * in a tenant that has no endpoint for the event.
   */
  abstract send<Event extends WebhookEvent>(event: Event, data: readonly WebhookData<Event>[]): Promise<void>;
}

/** Passes events on to the plugin that provides the service; they are dropped in tenants where it is disabled. */
export class ProvidedWebhooks extends Webhooks {
  constructor(private readonly provider: () => Webhooks | undefined) {
    super();
  }

  override async send<Event extends WebhookEvent>(event: Event, data: readonly WebhookData<Event>[]): Promise<void> {
    if (data.length > 0) await this.provider()?.send(event, data);
  }
}
