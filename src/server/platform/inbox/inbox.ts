import type { InboxKind, InboxStatus } from '#shared/inbox';
import type { LocalizedText } from '#shared/text';
import type { Mail } from './mail.ts';

/** A notification to be delivered. */
export interface Delivery {
  /** Ids of users of one tenant. */
  readonly users: readonly string[];
  /** Tenant of the users; by default that of the current work. */
  readonly tenant?: string;
  readonly kind: InboxKind;
  /** Code of the kind of e-mail that reports the same with `{title}` and `{body}`; users choose for each topic whether it goes to their inbox, by e-mail, both or neither. */
  readonly topic?: string;
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

/** Passes deliveries on to the plugin that provides the inbox, and those of a topic to e-mail; they are dropped in tenants where the plugins are disabled. */
export class ProvidedInbox extends Inbox {
  constructor(
    private readonly provider: (tenantId: string | undefined) => Inbox | undefined,
    private readonly mail: Mail,
  ) {
    super();
  }

  override async deliver({ topic, ...delivery }: Delivery): Promise<void> {
    const { users, tenant, title, body = ['', ''], link } = delivery;
    if (topic !== undefined) await this.mail.send({ kind: topic, to: users, data: { title, body }, ...(tenant && { tenant }), ...(link && { link }) });
    const inboxUsers = topic === undefined ? users : await this.mail.inboxUsers(topic, users, tenant);
    await this.provider(tenant)?.deliver({ ...delivery, users: inboxUsers });
  }

  override async markRead(arrival: Parameters<Inbox['markRead']>[0]): Promise<void> {
    await this.provider(undefined)?.markRead(arrival);
  }
}
