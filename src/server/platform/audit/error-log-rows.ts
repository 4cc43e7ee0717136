import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';

/** One row of the error log. */
export interface ErrorLogRow {
  readonly tenantId: string;
  readonly exceptionName: string;
  readonly requestUri: string;
  readonly method: string;
  readonly createBy: string | null;
  readonly remoteIp: string;
  readonly serviceId: string;
  readonly serverHost: string;
  readonly serverIp: string;
  readonly env: string;
  readonly userAgent: string;
  /** Plugin that handled the request; `console` for errors reported by a browser. */
  readonly methodClass: string;
  readonly methodName: string | null;
  readonly fileName: string | null;
  readonly lineNumber: number | null;
  /** Duration in milliseconds, as text. */
  readonly time: string | null;
  readonly params: string;
  readonly message: string;
  readonly stackTrace: string;
}

/** Writes any number of rows in one statement, passed as one JSON document. */
export async function insertErrors(db: Database, rows: readonly ErrorLogRow[]): Promise<void> {
  await db.sql.execute(sql`
    insert into error_log (tenant_id, exception_name, request_uri, method, create_by, remote_ip, service_id, server_host, server_ip, env, user_agent,
      method_class, method_name, file_name, line_number, time, params, message, stack_trace)
    select e."tenantId", e."exceptionName", e."requestUri", e.method, e."createBy", e."remoteIp", e."serviceId", e."serverHost", e."serverIp", e.env, e."userAgent",
      e."methodClass", e."methodName", e."fileName", e."lineNumber", e.time, e.params, e.message, e."stackTrace"
    from jsonb_to_recordset(${storable(rows)}::jsonb) as e(
      "tenantId" text, "exceptionName" text, "requestUri" text, method text, "createBy" text, "remoteIp" text, "serviceId" text, "serverHost" text,
      "serverIp" text, env text, "userAgent" text, "methodClass" text, "methodName" text, "fileName" text, "lineNumber" integer, time text, params text,
      message text, "stackTrace" text)`);
}

/** Serializes rows without the characters PostgreSQL cannot store; errors often contain them. */
function storable(rows: readonly ErrorLogRow[]): string {
  return JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '') : value));
}
