import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Call } from '#shared/contract';
import type { Log } from '../../base/log.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import type { AuthorizedRequest, RejectedRequest } from '../http/authorized-request.ts';
import type { Origin } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { type ApiLogEntry, insertEntries } from './api-log-rows.ts';
import { masked, maskedText, secretsOf } from './masking.ts';
import type { ServerFacts } from './server-facts.ts';
import { linesDropped, type SystemLog } from './system-log.ts';

const flushMilliseconds = 1000;
const batchSize = 200;
/** Maximum number of waiting entries; beyond it reads are not logged, so that the log cannot exhaust the server's memory. */
const capacity = 10_000;

/** The API log. The entry of a write is part of its transaction; reads and rejected requests are written in batches. */
export class ApiLog {
  private waiting: ApiLogEntry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private dropped = 0;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly facts: ServerFacts,
    private readonly systemLog: SystemLog,
  ) {}

  /** Logs an answered read, or a call that opens its own transactions. */
  answered({ route, request, milliseconds }: AuthorizedRequest): void {
    this.later(this.entry(route.call, route.plugin, request.principal, request.origin, { params: request.input, milliseconds: milliseconds(), status: 200 }));
  }

  refused({ route, principal, origin, entered, milliseconds, refusal }: RejectedRequest): void {
    this.later(this.entry(route.call, route.plugin, principal, origin, { params: entered, milliseconds, status: refusal.problem.status }));
  }

  /** Logs a write with its rows before and after; committed or rolled back together with them. */
  async changed({ route, request, milliseconds }: AuthorizedRequest, changes: unknown): Promise<void> {
    const entry = this.entry(route.call, route.plugin, request.principal, request.origin, { params: request.input, milliseconds: milliseconds(), status: 200 });
    const write = () => insertEntries(this.db, [{ ...entry, changes: masked(changes) }]);
    if (request.principal.userId !== '') await write();
    else await this.db.asPlatform('logs callers without a tenant under the platform', write);
  }

  /** Writes all waiting entries; awaited before the database closes. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.writeWaiting());
    await this.flushing;
  }

  private later(entry: ApiLogEntry): void {
    if (this.waiting.length >= capacity) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(entry);
    this.timer ??= setTimeout(() => void this.flush(), flushMilliseconds).unref();
  }

  private async writeWaiting(): Promise<void> {
    const { waiting, dropped } = this;
    this.waiting = [];
    this.dropped = 0;
    // Reports the reads and rejected requests that exceeded the capacity.
    if (dropped > 0) this.systemLog.log({ level: 'warn', event: linesDropped, data: { log: 'api_log', dropped } });
    try {
      for (let start = 0; start < waiting.length; start += batchSize) {
        const batch = waiting.slice(start, start + batchSize);
        await this.db.asPlatform('writes log entries of all tenants', () => insertEntries(this.db, batch));
        // The embedded database answers without yielding to the event loop, so this lets requests run between batches.
        await turnOfOthers();
      }
    } catch (error) {
      this.log.error({ err: error, lost: waiting.length }, 'could not write the API log');
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
      params: maskedText(facts.params, secretsOf(call)),
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
