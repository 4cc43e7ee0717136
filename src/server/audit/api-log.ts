import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Call } from '#shared/contract';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../db/database.ts';
import type { Admitted, Refused } from '../http/admitted.ts';
import type { Log } from '../http/app.ts';
import type { Origin } from '../http/route.ts';
import { platformTenant } from '../tenancy/identity.ts';
import { type ApiLogEntry, insertEntries } from './api-log-rows.ts';
import { type Journal, linesDropped } from './journal.ts';
import { masked, maskedText, secretsOf } from './masking.ts';
import type { ServerFacts } from './server-facts.ts';

const flushMilliseconds = 1000;
const batchSize = 200;
/** Beyond this many waiting entries reads are no longer logged: the log must not take the server down with it. */
const capacity = 10_000;

/** The api log. A write's entry is part of its transaction; reads and refusals follow in batches. */
export class ApiLog {
  private waiting: ApiLogEntry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private dropped = 0;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly facts: ServerFacts,
    private readonly journal: Journal,
  ) {}

  /** A read that was answered, or a call that keeps its own transactions. */
  answered({ route, request, milliseconds }: Admitted): void {
    this.later(this.entry(route.call, route.plugin, request.principal, request.origin, { params: request.input, milliseconds: milliseconds(), status: 200 }));
  }

  refused({ route, principal, origin, entered, milliseconds, refusal }: Refused): void {
    this.later(this.entry(route.call, route.plugin, principal, origin, { params: entered, milliseconds, status: refusal.problem.status }));
  }

  /** A write, with the before and after of its rows; kept or rolled back with them. */
  async changed({ route, request, milliseconds }: Admitted, changes: unknown): Promise<void> {
    const entry = this.entry(route.call, route.plugin, request.principal, request.origin, { params: request.input, milliseconds: milliseconds(), status: 200 });
    const write = () => insertEntries(this.db, [{ ...entry, changes: masked(changes) }]);
    if (request.principal.userId !== '') await write();
    else await this.db.asPlatform('a caller without a tenant is logged with the platform', write);
  }

  /** Writes what is waiting; awaited before the database is closed. */
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
    // More reads and refusals than the log could take.
    if (dropped > 0) this.journal.note({ level: 'warn', event: linesDropped, data: { log: 'api_log', dropped } });
    try {
      for (let start = 0; start < waiting.length; start += batchSize) {
        const batch = waiting.slice(start, start + batchSize);
        await this.db.asPlatform('log entries of all tenants are written together', () => insertEntries(this.db, batch));
        // The embedded database answers without ever letting go of the process: requests come in between.
        await turnOfOthers();
      }
    } catch (error) {
      this.log.error({ err: error, lost: waiting.length }, 'the api log could not be written');
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
