import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import type { ServerFacts } from './server-facts.ts';

/** One row of the API log. */
export interface ApiLogEntry extends ServerFacts {
  readonly tenantId: string;
  readonly title: string;
  readonly method: string;
  readonly requestUri: string;
  readonly userAgent: string;
  readonly remoteIp: string;
  /** Plugin that handled the request. */
  readonly methodClass: string;
  readonly methodName: string;
  /** JSON without secrets. */
  readonly params: string;
  /** Duration in milliseconds, as text. */
  readonly time: string;
  readonly createBy: string;
  readonly userId: string | null;
  readonly statusCode: number;
  readonly requestId: string;
  readonly createTime: Date;
  readonly changes: unknown;
}

/** Writes any number of entries in one statement, passed as one JSON document. */
export async function insertEntries(db: Database, entries: readonly ApiLogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.sql.execute(sql`
    insert into api_log (tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip,
      method_class, method_name, params, time, create_by, user_id, status_code, request_id, changes, create_time)
    select e."tenantId", e.title, e."serviceId", e."serverHost", e."serverIp", e.env, e.method, e."requestUri", e."userAgent", e."remoteIp",
      e."methodClass", e."methodName", e.params, e.time, e."createBy", e."userId", e."statusCode", e."requestId", e.changes, date_trunc('second', e."createTime")
    from jsonb_to_recordset(${storable(entries)}::jsonb) as e(
      "tenantId" text, title text, "serviceId" text, "serverHost" text, "serverIp" text, env text, method text, "requestUri" text, "userAgent" text, "remoteIp" text,
      "methodClass" text, "methodName" text, params text, time text, "createBy" text, "userId" bigint, "statusCode" integer, "requestId" text, changes jsonb, "createTime" timestamptz)`);
}

/** Serializes entries without the characters PostgreSQL cannot store; requests rejected for those characters are logged too. */
function storable(entries: readonly ApiLogEntry[]): string {
  return JSON.stringify(entries, (_name, value: unknown) => (typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '') : value));
}
