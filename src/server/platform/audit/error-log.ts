import { sql } from 'drizzle-orm';
import { type ErrorReport, maxReports } from '#shared/error-log';
import { ApiError, problems } from '#shared/errors';
import type { Log } from '../../base/log.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import type { RejectedRequest } from '../http/authorized-request.ts';
import type { Origin } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { LogBuffer, storableJson } from './log-buffer.ts';
import type { LogSink } from './log-sink.ts';
import { marksOf, maskedProse, maskedText } from './masking.ts';
import type { ServerFacts } from './server-facts.ts';
import type { SourceMaps } from './source-maps.ts';
import { linesDropped, type SystemLog } from './system-log.ts';

const minute = 60_000;

/** The error log: unexpected errors of the server, and errors reported by browsers. */
export class ErrorLog {
  private readonly buffer: LogBuffer<ErrorLogRow>;
  /** Number of entries each user has uploaded in the current minute. */
  private uploaded = new Map<string, number>();
  private minuteBegan = 0;

  constructor(
    private readonly db: Database,
    log: Log,
    private readonly facts: ServerFacts,
    private readonly deps: { readonly systemLog: SystemLog; readonly maps: SourceMaps; readonly sink?: LogSink | undefined },
  ) {
    this.buffer = new LogBuffer({
      capacity: 500,
      flushIntervalMs: 1000,
      write: (rows) => this.write(rows),
      onDropped: (dropped) => deps.systemLog.log({ level: 'warn', event: linesDropped, data: { log: 'error_log', dropped } }),
      onFailed: (error, lost) => log.error({ err: error, lost }, 'could not write the error log'),
    });
  }

  /** Logs a request that failed unexpectedly; beyond 500 waiting errors, further ones appear only in the server's own log. */
  failed({ route, principal, origin, input, milliseconds, error: apiError }: RejectedRequest): void {
    if (apiError.problem.status !== 500) return;
    const error = apiError.cause ?? apiError;
    const { name = 'Error', message = String(error), stack = '' } = error as Partial<Error>;
    this.buffer.add(() => ({
      ...this.commonFields(principal, origin),
      exceptionName: name,
      requestUri: route.call.path,
      method: route.call.method,
      methodClass: route.plugin,
      methodName: route.call.path.slice(route.call.path.lastIndexOf('/') + 1),
      time: String(Math.round(milliseconds)),
      params: maskedText(input, marksOf(route.call)),
      message: maskedProse(message.replace(/\nparams: [\s\S]*$/, '')),
      stackTrace: maskedProse(stack.slice(Math.max(0, stack.search(/\n {4}at /))).trim()),
      ...positionOf(stack),
    }));
  }

  /** Logs errors reported by a browser, with stacks mapped to the sources; rejects more than 200 entries a minute. */
  async report(reports: readonly ErrorReport[], principal: Principal, origin: Origin): Promise<void> {
    this.countUpload(principal.userId, reports.length);
    const mapped: ErrorReport[] = [];
    for (const report of reports) mapped.push({ ...report, stack: await this.deps.maps.resolve(report.stack) });
    await this.write(
      mapped.map(({ url, time, type, message, stack, info }) => ({
        ...this.commonFields(principal, origin),
        exceptionName: type,
        requestUri: pathOf(url),
        method: 'GET',
        methodClass: 'console',
        methodName: null,
        time: null,
        params: maskedText({ time, info: maskedProse(info) }),
        message: maskedProse(message),
        stackTrace: maskedProse(stack),
        ...positionOf(stack),
      })),
    );
  }

  flush(): Promise<void> {
    return this.buffer.flush();
  }

  private async write(rows: readonly ErrorLogRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { sink } = this.deps;
    const createTime = new Date();
    await sink?.add(
      'error_log',
      rows.map((row) => ({ ...row, createTime })),
    );
    if (sink?.isStored === false) return;
    await this.db.asPlatform('writes errors of all tenants', () => insertErrors(this.db, rows));
  }

  private countUpload(userId: string, entries: number): void {
    if (Date.now() - this.minuteBegan > minute) {
      this.uploaded = new Map();
      this.minuteBegan = Date.now();
    }
    const count = (this.uploaded.get(userId) ?? 0) + entries;
    if (count > maxReports) throw new ApiError(problems.tooManyRequests);
    this.uploaded.set(userId, count);
  }

  private commonFields({ userId, tenantId, account }: Principal, { userAgent, address }: Origin) {
    return {
      tenantId: userId === '' ? platformTenant : tenantId,
      createBy: account === '' ? null : account,
      ...this.facts,
      userAgent: userAgent.slice(0, 512),
      remoteIp: address.slice(0, 64),
    };
  }
}

/** Returns file and line of the first stack frame. */
function positionOf(stack: string): Pick<ErrorLogRow, 'fileName' | 'lineNumber'> {
  for (const frame of stack.split('\n')) {
    const position = /:(\d{1,10}):\d{1,10}\)?$/.exec(frame);
    const file = position
      ? frame
          .slice(0, position.index)
          .split(/[\s()]/)
          .at(-1)
      : undefined;
    if (file) return { fileName: file.slice(-255), lineNumber: Math.min(Number(position?.[1]), 2_147_483_647) };
  }
  return { fileName: null, lineNumber: null };
}

/** Removes the query of a URL, because it may contain secrets. */
function pathOf(url: string): string {
  return (url.split(/[?#]/, 1)[0] ?? '').slice(0, 512);
}

/** One row of the error log. */
interface ErrorLogRow {
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
async function insertErrors(db: Database, rows: readonly ErrorLogRow[]): Promise<void> {
  await db.sql.execute(sql`
    insert into error_log (tenant_id, exception_name, request_uri, method, create_by, remote_ip, service_id, server_host, server_ip, env, user_agent,
      method_class, method_name, file_name, line_number, time, params, message, stack_trace)
    select e."tenantId", e."exceptionName", e."requestUri", e.method, e."createBy", e."remoteIp", e."serviceId", e."serverHost", e."serverIp", e.env, e."userAgent",
      e."methodClass", e."methodName", e."fileName", e."lineNumber", e.time, e.params, e.message, e."stackTrace"
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as e(
      "tenantId" text, "exceptionName" text, "requestUri" text, method text, "createBy" text, "remoteIp" text, "serviceId" text, "serverHost" text,
      "serverIp" text, env text, "userAgent" text, "methodClass" text, "methodName" text, "fileName" text, "lineNumber" integer, time text, params text,
      message text, "stackTrace" text)`);
}
