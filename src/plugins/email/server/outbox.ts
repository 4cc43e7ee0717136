import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type ServerContext } from '#server';
import { emailProblems, type TestOutcome } from '../contract.ts';
import type { ActiveSettings, EmailSettings } from './settings.ts';
import { type Attempt, deliver, type MailContent, type OutgoingMail, type SmtpTimeouts } from './smtp.ts';

const defaultTimeouts: SmtpTimeouts = { answerMs: 20_000, totalMs: 60_000 };
/** Seconds after which another server sends an e-mail again whose server died; longer than an attempt can take. */
const leaseSeconds = 180;
const batchSize = 10;
const maxTenants = 50;
/** Minutes until the next attempt after each temporary failure; after the last one an e-mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180, 360, 720, 1440] as const;
const maxTestsPerMinute = 10;

interface ClaimedMail {
  readonly id: string;
  readonly recipient: string;
  readonly address: string;
  readonly content: string;
  readonly attempts: number;
}

interface Claim {
  readonly settings: ActiveSettings | undefined;
  readonly claimed: readonly ClaimedMail[];
}

/**
 * Sends queued e-mails. A server claims each one for the time an attempt can take, so that two servers never send the same; only a server that dies between the
 * acceptance and its record leaves an e-mail that is sent again, with the same Message-ID.
 */
export class Outbox {
  private readonly running = new Map<string, Promise<void>>();
  private isStopped = false;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'egress' | 'systemLog'>,
    private readonly settings: EmailSettings,
    private readonly timeouts = defaultTimeouts,
  ) {}

  /** Begins to send for each tenant with due e-mails; a slow server of one tenant delays no other. */
  async poll(): Promise<void> {
    const { db } = this.context;
    const due = await db.asPlatform('finds tenants with due e-mails', () =>
      queryRows<{ tenantId: string }>(
        db,
        // E-mails of a tenant that sends none at present stay due. The order gives every tenant a turn if there are more than fit.
        sql`select s.tenant_id as "tenantId" from email_server s where s.is_enabled and s.is_deleted = 0
              and exists (select from email_message m where m.tenant_id = s.tenant_id and m.state in (0, 1) and m.due_at <= now())
            order by random() limit ${maxTenants}`,
      ),
    );
    for (const { tenantId } of due) {
      if (this.isStopped || this.running.has(tenantId)) continue;
      const sending = this.sendDue(tenantId)
        .catch((error: unknown) => this.report(tenantId, error))
        .finally(() => this.running.delete(tenantId));
      this.running.set(tenantId, sending);
    }
  }

  /** Waits for e-mails that are being sent. */
  async settle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.settle();
  }

  /** Sends an e-mail at once, records it and returns the result; a failed one is not tried again. Call it outside of transactions. */
  async sendNow(tenantId: string, mail: MailContent & Pick<OutgoingMail, 'recipient' | 'address'> & { readonly kind: string }): Promise<TestOutcome> {
    const { db } = this.context;
    const { recipient, address, kind, subject } = mail;
    const { settings, id } = await db.write({ tenantId }, async () => {
      await db.lock('e-mails sent');
      const settings = await this.settings.active({ evenDisabled: true });
      if (!settings) throw new ApiError(emailProblems.notSetUp);
      const [recent] = await queryRows<{ count: number }>(
        db,
        sql`select count(*)::integer as count from email_message where kind = ${kind} and attempted_at > now() - interval '1 minute'`,
      );
      if ((recent?.count ?? 0) >= maxTestsPerMinute) throw new ApiError(emailProblems.tooOften);
      const [row] = await queryRows<{ id: string }>(
        db,
        sql`insert into email_message (recipient, address, kind, subject, state, attempts, attempted_at)
            values (${recipient}, ${address}, ${kind}, ${subject}, 1, 1, clock_timestamp()) returning id::text as id`,
      );
      return { settings, id: row?.id ?? '' };
    });
    const attempt = await deliver(this.context.egress, settings, { ...mail, id }, this.timeouts);
    await this.record(tenantId, { id, attempts: 1 }, 'failure' in attempt ? { ...attempt, isPermanent: true } : attempt);
    return { isSent: !('failure' in attempt), address, failure: 'failure' in attempt ? attempt.failure : null, answer: attempt.answer || null };
  }

  private async sendDue(tenantId: string): Promise<void> {
    while (!this.isStopped) {
      const { settings, claimed } = await this.claim(tenantId);
      if (!settings || claimed.length === 0) return;
      for (const { content, ...mail } of claimed) {
        if (this.isStopped) await this.release(tenantId, mail);
        else await this.record(tenantId, mail, await this.attempt(settings, mail, content));
      }
    }
  }

  private attempt(settings: ActiveSettings, mail: Omit<ClaimedMail, 'content'>, content: string): Promise<Attempt> {
    const stored = JSON.parse(this.context.db.encryption.decrypt(content)) as MailContent;
    return deliver(this.context.egress, settings, { ...mail, ...stored }, this.timeouts);
  }

  /** Claims due e-mails up to the limit per minute, which all servers share. */
  private claim(tenantId: string): Promise<Claim> {
    const { db } = this.context;
    return db.write({ tenantId }, async () => {
      await db.lock('e-mails sent');
      const settings = await this.settings.active();
      if (!settings) return { settings, claimed: [] };
      const claimed = await queryRows<ClaimedMail>(
        db,
        sql`with due as materialized (
              select id from email_message where state in (0, 1) and due_at <= now() and content is not null order by due_at, id
              limit least(${batchSize}, greatest(0, ${settings.perMinute} - (select count(*) from email_message where attempted_at > clock_timestamp() - interval '1 minute')))
              for update skip locked)
            update email_message m set state = 1, attempts = attempts + 1, attempted_at = clock_timestamp(), due_at = now() + make_interval(secs => ${leaseSeconds})
            from due where m.id = due.id
            returning m.id::text as id, m.recipient, m.address, m.content, m.attempts`,
      );
      return { settings, claimed };
    });
  }

  /** Records a result unless another server has claimed the e-mail since. */
  private async record(tenantId: string, { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>, attempt: Attempt): Promise<void> {
    const { db, systemLog } = this.context;
    const { answer } = attempt;
    const own = sql`id = ${id} and attempts = ${attempts} and state = 1`;
    await db.write({ tenantId }, async () => {
      if (!('failure' in attempt))
        return queryRows(
          db,
          sql`update email_message set state = 2, sent_at = now(), due_at = null, content = null, failure = null, answer = ${answer} where ${own}`,
        );
      const { failure, isPermanent } = attempt;
      const minutes = isPermanent ? undefined : retryMinutes[attempts - 1];
      if (minutes === undefined) systemLog.log({ level: 'warn', event: 'email:given-up', data: { message: id, failure, answer }, tenant: tenantId });
      return queryRows(
        db,
        sql`update email_message set state = ${minutes === undefined ? 3 : 0}, failure = ${failure}, answer = ${answer},
              due_at = now() + make_interval(mins => ${minutes ?? null}) where ${own}`,
      );
    });
  }

  /** Returns a claimed e-mail to the queue that was not attempted. */
  private async release(tenantId: string, { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>): Promise<void> {
    const { db } = this.context;
    await db.write({ tenantId }, () =>
      queryRows(
        db,
        sql`update email_message set state = 0, attempts = attempts - 1, due_at = date_trunc('second', now()) where id = ${id} and attempts = ${attempts} and state = 1`,
      ),
    );
  }

  private report(tenantId: string, error: unknown): void {
    this.context.systemLog.log({ level: 'error', event: 'email:sending-failed', data: { reason: String(error) }, tenant: tenantId });
  }
}
