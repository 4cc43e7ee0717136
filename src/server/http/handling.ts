import type { Refusal } from '#shared/errors';
import { actingAs } from '../audit/actor.ts';
import type { ApiLog } from '../audit/api-log.ts';
import { changesOf, recordingChanges } from '../audit/changes.ts';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../db/database.ts';
import { IdempotentReplies } from './idempotency.ts';
import type { KernelRequest, Origin, Route } from './route.ts';

/** A request that has passed every room before *handle*. */
export interface Admitted {
  readonly route: Route;
  readonly request: KernelRequest;
  milliseconds(): number;
  /** The reply's text for what the handler gave. */
  body(data: unknown): string;
}

/** A request that was refused in some room. */
export interface Refused {
  readonly route: Route;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly entered: unknown;
  readonly milliseconds: number;
  readonly refusal: Refusal;
}

export interface Answer {
  readonly body: string;
  /** True: told again what an earlier request with the same key was told. */
  readonly replayed: boolean;
}

/** The rooms *handle* and *record*: a write, its reply, its log entry and its idempotency key are one transaction. */
export class Handling {
  private readonly replies: IdempotentReplies;

  constructor(
    private readonly db: Database,
    private readonly log: ApiLog,
  ) {
    this.replies = new IdempotentReplies(db);
  }

  async handle(admitted: Admitted): Promise<Answer> {
    const { route, request } = admitted;
    const scope = { tenantId: request.principal.tenantId };
    if (route.ownTransactions) return this.perform(admitted);
    if (route.call.method === 'GET') return this.db.read(scope, () => this.perform(admitted));
    return this.db.write(scope, () => this.replies.once(admitted, () => recordingChanges(() => this.change(admitted))));
  }

  refused(refused: Refused): void {
    this.log.refused(refused);
  }

  private async perform(admitted: Admitted): Promise<Answer> {
    const { route, request } = admitted;
    const body = admitted.body(await actingAs(request.principal, async () => route.handler(request)));
    this.log.answered(admitted);
    return { body, replayed: false };
  }

  private async change(admitted: Admitted): Promise<string> {
    const { route, request } = admitted;
    const body = admitted.body(await actingAs(request.principal, async () => route.handler(request)));
    await this.log.changed(admitted, changesOf());
    return body;
  }
}
