import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError, problem, problems } from '#shared/errors';
import { actingAs } from '../../data/context/actor.ts';
import { changingThrough, takeChanges } from '../../data/context/changes.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { ApiLog } from '../../platform/audit/api-log.ts';
import type { ErrorLog } from '../../platform/audit/error-log.ts';
import type { AuthorizedRequest, HandledResponse, RejectedRequest } from '../../platform/http/authorized-request.ts';
import type { KernelRequest, Route } from '../../platform/http/route.ts';
import type { RecordEditors } from '../../platform/live/record-editors.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import { positionCookie, positionIn, unknownPosition } from './position-cookie.ts';

/** The stages *handle* and *record*: a write, its reply, its log entry and its idempotency key are one transaction. */
export class RequestPipeline {
  private readonly replies: IdempotentReplies;

  constructor(
    private readonly db: Database,
    private readonly log: ApiLog,
    private readonly errors: ErrorLog,
    private readonly editors: Pick<RecordEditors, 'saved'>,
  ) {
    this.replies = new IdempotentReplies(db);
  }

  async handle(authorized: AuthorizedRequest): Promise<HandledResponse> {
    const { route, request } = authorized;
    const { method, path } = route.call;
    const answer = await changingThrough({ method, path, requestId: request.origin.requestId }, () => this.run(authorized));
    if (method !== 'GET' || route.writes) await this.setPosition(request);
    return answer;
  }

  /** Gives the browser the position of its write, which the read replica must have replayed before it answers the browser again. */
  private async setPosition({ setCookie }: KernelRequest): Promise<void> {
    const position = await this.db.position().catch(() => unknownPosition);
    if (position !== undefined) setCookie(positionCookie(position));
  }

  private async run(authorized: AuthorizedRequest): Promise<HandledResponse> {
    const { route, request } = authorized;
    const scope = { tenantId: request.principal.tenantId };
    if (route.manualTransactions) return this.perform(authorized);
    if (route.call.method === 'GET') return this.db.readReplica(scope, seenPosition(route, request), () => this.perform(authorized));
    const prepared = await route.prepare?.(request);
    const ready = { ...authorized, request: { ...request, prepared } };
    return this.db.write(scope, () => this.replies.once(ready, () => this.change(ready)));
  }

  /** Logs a rejected request, except those rejected for load: they would cause as many log writes as requests. */
  refused(refused: RejectedRequest): void {
    const { problem } = refused.error;
    if (problem === problems.tooManyRequests || problem === problems.busy) return;
    this.log.refused(refused);
    this.errors.failed(refused);
  }

  private async perform(authorized: AuthorizedRequest): Promise<HandledResponse> {
    const { route, request } = authorized;
    const body = authorized.body((await actingAs(request.principal, async () => route.handler(request))) ?? null);
    if (!route.unlogged) this.log.answered(authorized);
    return { body, replayed: false };
  }

  private async change(authorized: AuthorizedRequest): Promise<string> {
    const { route, request } = authorized;
    const body = authorized.body((await actingAs(request.principal, async () => route.handler(request))) ?? null);
    const changes = takeChanges();
    await this.log.changed(authorized, changes);
    await this.editors.saved(request.principal, changes);
    if (typeof body !== 'string') throw new Error(`${route.call.path} answers with a file; serve it with manualTransactions or as a GET.`);
    return body;
  }
}

/** Position that the caller of a list, a search or figures has seen; undefined if the primary must answer. */
function seenPosition({ call, writes }: Route, { origin }: KernelRequest): string | undefined {
  const mayLag = (call.filterable !== undefined || call.mayLag === true) && !writes;
  return mayLag ? positionIn(origin.header('cookie')) : undefined;
}

const keyReused = problem(409, ['Idempotency-Key 已用于其他请求', 'This Idempotency-Key was used for another request.']);

const alreadyProcessed = problem(409, ['该请求已处理，结果仅显示一次', 'This request was already processed. Its result is shown only once.']);

const retentionHours = 24;

/** Executes a write with an `Idempotency-Key` once: for 24 hours the same key of the same user gets the same reply, even while the first request is running. */
export class IdempotentReplies {
  constructor(private readonly db: Database) {}

  /** Runs inside the write's transaction, so that key and change are committed together. */
  async once(authorized: AuthorizedRequest, change: () => Promise<string>): Promise<HandledResponse> {
    const { principal, origin } = authorized.request;
    const key = origin.header('idempotency-key');
    if (key === '' || principal.userId === '') return { body: await change(), replayed: false };
    if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw new ApiError(problems.wrongParameter, { name: 'Idempotency-Key' });
    const earlier = await this.claim(authorized, key);
    if (earlier !== undefined) return { body: earlier, replayed: true };
    const body = await change();
    if (!authorized.route.noStore) await this.db.sql.execute(sql`update idempotent_reply set reply = ${body} where ${byKey(principal, key)}`);
    return { body, replayed: false };
  }

  /** Takes the key, or waits for the request that holds it and returns its reply; the primary key makes it wait. */
  private async claim({ request: { principal, input }, route }: AuthorizedRequest, key: string): Promise<string | undefined> {
    const fingerprint = createHash('sha256')
      .update(`${route.call.path}\n${JSON.stringify(input)}`)
      .digest('hex');
    const claimedRows = await queryRows(
      this.db,
      sql`insert into idempotent_reply as held (tenant_id, user_id, key, fingerprint)
          values (${principal.tenantId}, ${principal.userId}, ${key}, ${fingerprint})
          on conflict (tenant_id, user_id, key) do update set fingerprint = excluded.fingerprint, reply = null, create_time = now()
            where held.create_time < now() - make_interval(hours => ${retentionHours})
          returning key`,
    );
    if (claimedRows.length > 0) return undefined;
    const [earlier] = await queryRows<{ fingerprint: string; reply: string | null }>(
      this.db,
      sql`select fingerprint, reply from idempotent_reply where ${byKey(principal, key)}`,
    );
    if (earlier?.fingerprint !== fingerprint) throw new ApiError(keyReused);
    if (earlier.reply === null) throw new ApiError(alreadyProcessed);
    return earlier.reply;
  }
}

const byKey = ({ tenantId, userId }: Principal, key: string) => sql`tenant_id = ${tenantId} and user_id = ${userId} and key = ${key}`;
