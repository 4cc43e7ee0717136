import { problems } from '#shared/errors';
import { actingAs } from '../../data/context/actor.ts';
import { changesOf, recordingChanges } from '../../data/context/changes.ts';
import type { Database } from '../../data/database/database.ts';
import type { ApiLog } from '../../platform/audit/api-log.ts';
import type { ErrorLog } from '../../platform/audit/error-log.ts';
import type { Answer, AuthorizedRequest, RejectedRequest } from '../../platform/http/authorized-request.ts';
import { IdempotentReplies } from './idempotency.ts';

/** The stages *handle* and *record*: a write, its reply, its log entry and its idempotency key are one transaction. */
export class RequestPipeline {
  private readonly replies: IdempotentReplies;

  constructor(
    private readonly db: Database,
    private readonly log: ApiLog,
    private readonly errors: ErrorLog,
  ) {
    this.replies = new IdempotentReplies(db);
  }

  async handle(admitted: AuthorizedRequest): Promise<Answer> {
    const { route, request } = admitted;
    const scope = { tenantId: request.principal.tenantId };
    if (route.manualTransactions) return this.perform(admitted);
    if (route.call.method === 'GET') return this.db.read(scope, () => this.perform(admitted));
    const prepared = await route.prepare?.(request);
    const ready = { ...admitted, request: { ...request, prepared } };
    return this.db.write(scope, () => this.replies.once(ready, () => recordingChanges(() => this.change(ready))));
  }

  /** Logs a rejected request, except those rejected for load: they would cause as many log writes as requests. */
  refused(refused: RejectedRequest): void {
    const { problem } = refused.refusal;
    if (problem === problems.tooManyRequests || problem === problems.busy) return;
    this.log.refused(refused);
    this.errors.failed(refused);
  }

  private async perform(admitted: AuthorizedRequest): Promise<Answer> {
    const { route, request } = admitted;
    const body = admitted.body((await actingAs(request.principal, async () => route.handler(request))) ?? null);
    this.log.answered(admitted);
    return { body, replayed: false };
  }

  private async change(admitted: AuthorizedRequest): Promise<string> {
    const { route, request } = admitted;
    const body = admitted.body((await actingAs(request.principal, async () => route.handler(request))) ?? null);
    await this.log.changed(admitted, changesOf());
    if (typeof body !== 'string') throw new Error(`${route.call.path} answers with a file; serve it with manualTransactions or as a GET.`);
    return body;
  }
}
