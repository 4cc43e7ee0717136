import { PasswordEmails } from '#plugins/organization/server-extension';
import type { ServerContext } from '#server';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { passwordMail } from './kinds.ts';
import type { EmailSettings } from './settings.ts';
import type { StoredMail } from './stored-mail.ts';

/** Sends one-time passwords through the queue; the stored content is encrypted and deleted once it is sent. */
export class QueuedPasswordEmails extends PasswordEmails {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly settings: EmailSettings,
    private readonly mail: StoredMail,
  ) {
    super();
  }

  override isOffered(tenantId: string): Promise<boolean> {
    return this.db.read({ tenantId }, async () => (await this.settings.active()) !== undefined);
  }

  override async send(tenantId: string, passwords: readonly OneTimePassword[]): Promise<readonly string[]> {
    const sent: string[] = [];
    for (const { id, account, realName, password, expiresAt } of passwords) {
      const data = { name: realName || account, account, password, expires: expiresAt };
      sent.push(...(await this.mail.send({ kind: passwordMail.code, to: [id], tenant: tenantId, data, link: '/' })));
    }
    return sent;
  }
}
