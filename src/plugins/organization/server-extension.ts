import type { OneTimePassword } from '#shared/one-time-passwords';

/** E-mails with one-time passwords, for plugins that create accounts or reset their passwords. */
export abstract class PasswordEmails {
  /** True if the tenant sends e-mail. */
  abstract isOffered(tenantId: string): Promise<boolean>;
  /** Queues an e-mail for each account that has an address, as part of the current transaction, and returns the ids of these accounts. The caller hands out the other passwords. */
  abstract send(tenantId: string, passwords: readonly OneTimePassword[]): Promise<readonly string[]>;
}

/** Webhook events about users, for plugins that create accounts by themselves. */
export abstract class UserEvents {
  /** Queues `user.created` for an account, as part of the current transaction. */
  abstract created(userId: string): Promise<void>;
}
