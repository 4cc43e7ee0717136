import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Call } from '#shared/contract';
import type { Log } from '../../base/log.ts';
import type { RecordedChange } from '../../data/context/changes.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { maskedRow } from '../../data/scope/personal-fields.ts';
import type { AuthorizedRequest, RejectedRequest } from '../http/authorized-request.ts';
import type { Origin } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { LogBuffer, storableJson } from './log-buffer.ts';
import type { LogSink } from './log-sink.ts';
import { marksOf, masked, maskedText } from './masking.ts';
import { type HistoryRow, historyRows, insertHistory, storeOtherTenants } from './record-history.ts';
import type { ServerFacts } from './server-facts.ts';
import { linesDropped, type SystemLog } from './system-log.ts';

const batchSize = 200;

/** The API log. The entry of a write is part of its transaction; reads and rejected requests are written in batches, beyond 10,000 waiting ones not at all. */
export class ApiLog {
  private readonly buffer: LogBuffer<WaitingEntry>;

  constructor(
    private readonly db: Database,
    log: Log,
    private readonly facts: ServerFacts,
    systemLog: SystemLog,
    private readonly sink?: LogSink,
  ) {
    this.buffer = new LogBuffer({
      capacity: 10_000,
      flushIntervalMs: 1000,
      write: async (waiting) => {
        await this.sink?.add(
          'api_log',
          waiting.map(({ entry }) => entry),
        );
        await this.writeBatches(waiting.filter(({ isStored }) => !isStored).map(({ entry }) => entry));
      },
      onDropped: (dropped) => systemLog.log({ level: 'warn', event: linesDropped, data: { log: 'api_log', dropped } }),
      onFailed: (error, lost) => log.error({ err: error, lost }, 'could not write the API log'),
    });
  }

  /** Logs an answered read, or a call that opens its own transactions. */
  answered({ route, request, milliseconds }: AuthorizedRequest): void {
    const facts = { params: request.input, milliseconds: milliseconds(), status: 200 };
    this.add(() => this.entry(route.call, route.plugin, request.principal, request.origin, facts));
  }

  refused({ route, principal, origin, input, milliseconds, error }: RejectedRequest): void {
    this.add(() => this.entry(route.call, route.plugin, principal, origin, { params: input, milliseconds, status: error.problem.status }));
  }

  /** Logs a write with its rows before and after, and stores the changes of each record; committed or rolled back together with them. */
  async changed({ route, request, milliseconds }: AuthorizedRequest, recorded: readonly RecordedChange[]): Promise<void> {
    const changes = recorded.map((change) => withoutPersonalData(this.db.entities, change));
    const history = historyRows(this.db.entities, recorded);
    const call = this.entry(route.call, route.plugin, request.principal, request.origin, { params: request.input, milliseconds: milliseconds(), status: 200 });
    const entry = { ...call, changes: masked(changes) };
    const write = async () => {
      const own = history.filter(({ tenantId }) => tenantId === this.db.tenantId);
      if (this.sink?.isStored !== false) await insertEntries(this.db, [entry], own);
      else if (own.length > 0) await this.db.sql.execute(insertHistory(own));
      await storeOtherTenants(this.db, history);
    };
    // Beside the database the entry follows the transaction, so that no sink has writes that were rolled back.
    if (this.sink) this.db.afterCommit(() => void this.buffer.add(() => ({ entry, isStored: true })));
    if (request.principal.userId !== '') await write();
    else await this.db.asPlatform('logs callers without a tenant under the platform', write);
  }

  flush(): Promise<void> {
    return this.buffer.flush();
  }

  private add(build: () => ApiLogEntry): void {
    this.buffer.add(() => ({ entry: build(), isStored: this.sink?.isStored === false }));
  }

  private async writeBatches(entries: readonly ApiLogEntry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += batchSize) {
      await this.db.asPlatform('writes log entries of all tenants', () => insertEntries(this.db, entries.slice(start, start + batchSize)));
      // The embedded database answers without yielding to the event loop, so this lets requests run between batches.
      await nextTurn();
    }
  }

  private entry(
    call: Call,
    plugin: string,
    principal: Principal,
    origin: Origin,
    facts: { params: unknown; milliseconds: number; status: number },
  ): ApiLogEntry {
    return {
      tenantId: principal.userId === '' ? platformTenant : principal.tenantId,
      title: call.title[0],
      ...this.facts,
      method: call.method,
      requestUri: call.path,
      userAgent: origin.userAgent.slice(0, 512),
      remoteIp: origin.address.slice(0, 64),
      methodClass: plugin,
      methodName: call.path.slice(call.path.lastIndexOf('/') + 1),
      params: maskedText(facts.params, marksOf(call)),
      time: String(Math.round(facts.milliseconds)),
      createBy: principal.account,
      userId: principal.userId === '' ? null : principal.userId,
      statusCode: facts.status,
      requestId: origin.requestId,
      createTime: new Date(),
      changes: null,
    };
  }
}

/** Returns the rows of a change with masked personal data. */
function withoutPersonalData(entities: Database['entities'], { entity: name, id, before, after }: RecordedChange): RowBeforeAndAfter {
  const entity = entities.get(name);
  const mask = (row: RecordedChange['before']) => (row && entity ? maskedRow(entity, row) : row);
  return { entity: name, id, before: mask(before), after: mask(after) };
}

type RowBeforeAndAfter = Pick<RecordedChange, 'entity' | 'id' | 'before' | 'after'>;

/** An entry that waits to be written; `isStored` if the database has it already, or is not to have it. */
interface WaitingEntry {
  readonly entry: ApiLogEntry;
  readonly isStored: boolean;
}

/** One row of the API log. */
interface ApiLogEntry extends ServerFacts {
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

/** Writes any number of entries, with the changes of a request, in one statement; each table is passed as one JSON document. */
async function insertEntries(db: Database, entries: readonly ApiLogEntry[], history: readonly HistoryRow[] = []): Promise<void> {
  const changed = history.length > 0 ? sql`with changed as (${insertHistory(history)})` : sql``;
  await db.sql.execute(sql`
    ${changed} insert into api_log (tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip,
      method_class, method_name, params, time, create_by, user_id, status_code, request_id, changes, create_time)
    select e."tenantId", e.title, e."serviceId", e."serverHost", e."serverIp", e.env, e.method, e."requestUri", e."userAgent", e."remoteIp",
      e."methodClass", e."methodName", e.params, e.time, e."createBy", e."userId", e."statusCode", e."requestId", e.changes, date_trunc('second', e."createTime")
    from jsonb_to_recordset(${storableJson(entries)}::jsonb) as e(
      "tenantId" text, title text, "serviceId" text, "serverHost" text, "serverIp" text, env text, method text, "requestUri" text, "userAgent" text, "remoteIp" text,
      "methodClass" text, "methodName" text, params text, time text, "createBy" text, "userId" bigint, "statusCode" integer, "requestId" text, changes jsonb, "createTime" timestamptz)`);
}
