import type { InboxKind, InboxStatus } from '#shared/inbox';
import type { LocalizedText } from '#shared/text';

/** A notification to be delivered. */
export interface Delivery {
  /** Ids of users of one tenant. */
  readonly users: readonly string[];
  /** Tenant of the users; by default that of the current work. */
  readonly tenant?: string;
  readonly kind: InboxKind;
  /** Title of at most 255 characters. */
  readonly title: LocalizedText;
  readonly body?: LocalizedText;
  readonly status?: InboxStatus;
  /** Link target: a path of the console, or an external address that begins with http. */
  readonly link?: string;
}

/** Sends users notifications for the inbox in the top bar, where they also find them later. One plugin shares the service; without it nothing is delivered. */
export abstract class Inbox {
  /** Delivers a notification as part of the current transaction; open consoles show it after the commit. */
  abstract deliver(delivery: Delivery): Promise<void>;
  /** Marks a user's notifications with these links as read, because the user has visited them. Part of the current transaction. */
  abstract markRead(arrival: { readonly user: string; readonly links: readonly string[] }): Promise<void>;
}

/** Passes deliveries on to the plugin that provides the inbox; they are dropped in tenants where it is disabled. */
export class ProvidedInbox extends Inbox {
  constructor(private readonly provider: (tenantId: string | undefined) => Inbox | undefined) {
    super();
  }

  override async deliver(delivery: Delivery): Promise<void> {
    await this.provider(delivery.tenant)?.deliver(delivery);
  }

  override async markRead(arrival: Parameters<Inbox['markRead']>[0]): Promise<void> {
    await this.provider(undefined)?.markRead(arrival);
  }
}
