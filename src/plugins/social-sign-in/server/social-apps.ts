import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';
import { type BrowserSource, browserSources, type SocialSource } from '#shared/social';
import type { SocialApp } from './social-client.ts';

interface AppRow {
  readonly source: SocialSource;
  readonly clientId: string;
  readonly secret: string;
}

/** Apps that administrators have registered at the providers for their tenants. */
export class SocialApps {
  constructor(private readonly db: Database) {}

  /** Lists the sources a tenant offers to browsers, in display order. */
  async offeredSources(tenantId: string): Promise<BrowserSource[]> {
    const rows = await this.rows(tenantId);
    return browserSources.filter((source) => rows.some((row) => row.source === source));
  }

  async find<Source extends SocialSource>(tenantId: string, source: Source): Promise<SocialApp<Source> | undefined> {
    const row = (await this.rows(tenantId)).find((one) => one.source === source);
    return row && { source, clientId: row.clientId, clientSecret: this.db.encryption.decrypt(row.secret) };
  }

  /** Reads the apps; a disabled or expired tenant offers none. */
  private rows(tenantId: string): Promise<AppRow[]> {
    return this.db.read({ tenantId }, () =>
      queryRows<AppRow>(
        this.db,
        sql`select source, client_id as "clientId", client_secret as secret from social_app
            where is_enabled = 1 and is_deleted = 0 and exists (
              select 1 from tenant t where t.tenant_id = ${tenantId} and t.is_deleted = 0 and t.status = 1 and (t.expire_time is null or t.expire_time > now()))`,
      ),
    );
  }
}
