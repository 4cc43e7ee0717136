import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';

/** Remembers which providers do not answer, so that all servers together report each once. */
export class ProviderStates {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'systemLog'>) {}

  async answered(tenantId: string, providerId: string): Promise<void> {
    const changed = await this.write(
      tenantId,
      sql`update identity_provider set unreachable_since = null where id = ${providerId}::bigint and unreachable_since is not null returning id`,
    );
    if (changed) this.context.systemLog.log({ level: 'info', event: 'social-sign-in:provider-answers', data: { provider: providerId }, tenant: tenantId });
  }

  async failed(tenantId: string, providerId: string, error: unknown): Promise<void> {
    const changed = await this.write(
      tenantId,
      sql`update identity_provider set unreachable_since = date_trunc('second', now()) where id = ${providerId}::bigint and unreachable_since is null returning id`,
    );
    const { message } = ((error as Error).cause ?? error) as Error;
    const data = { provider: providerId, reason: message };
    if (changed) this.context.systemLog.log({ level: 'warn', event: 'social-sign-in:provider-unreachable', data, tenant: tenantId });
  }

  private async write(tenantId: string, statement: ReturnType<typeof sql>): Promise<boolean> {
    const { db } = this.context;
    return db.write({ tenantId }, async () => (await queryRows(db, statement)).length > 0);
  }
}
