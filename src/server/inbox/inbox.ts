import type { InboxKind, InboxStatus } from '#shared/inbox';
import type { Words } from '#shared/text';

/** What is told to somebody. */
export interface Delivery {
  /** Ids of users of one tenant. */
  readonly users: readonly string[];
  /** That of the work under way unless said. */
  readonly tenant?: string;
  readonly kind: InboxKind;
  /** 255 characters at most. */
  readonly title: Words;
  readonly body?: Words;
  readonly status?: InboxStatus;
  /** Where it leads: an address of the console, or of somewhere else when it begins with http. */
  readonly link?: string;
}

/** Tells users something they find in the top bar, also when they were not there. */
export abstract class Inbox {
  /** Kept or rolled back with the transaction under way; open consoles show it once it has committed. */
  abstract deliver(delivery: Delivery): Promise<void>;
  /** Marks as read what leads one user to these addresses: they have been there. Part of the transaction under way. */
  abstract settle(arrival: { readonly user: string; readonly links: readonly string[] }): Promise<void>;
}
