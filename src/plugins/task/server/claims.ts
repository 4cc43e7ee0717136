import { and, eq, type SQL, sql } from 'drizzle-orm';
import { Platform, TaskGrade } from '#plugins/base-data/contract';
import { defaultHours, MiniappSetting } from '#plugins/miniapp/contract';
import {
  ApiError,
  type CallRequest,
  ensureClient,
  isActive,
  type PluginRoute,
  type Principal,
  problems,
  queryRows,
  repositoryOf,
  route,
  type ServerContext,
  tableOf,
} from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { matchesPatterns } from '#shared/link-patterns';
import { miniProgramSource } from '#shared/social';
import { claimClients, claiming, type ProofInput, Submission, Task, type TaskRow, taskProblems } from '../contract.ts';
import { type Fingerprint, fingerprintsOf, storeFingerprints } from './fingerprints.ts';
import type { QueueInvalidation } from './queue.ts';
import { reviewState, taskState } from './states.ts';

const tasks = tableOf(Task);
const submissions = tableOf(Submission);
const isOnOffer = sql`${tasks.status} = ${taskState.published} and ${tasks.claimed} < ${tasks.quantity}
  and (${tasks.startTime} is null or ${tasks.startTime} <= now()) and (${tasks.endTime} is null or ${tasks.endTime} > now())`;

type ClaimContext = Pick<ServerContext, 'db' | 'parameters'>;
type OwnClaim = ReplyOf<typeof claiming.claim>;

/** Claims of users on places in tasks. */
export class Claims {
  private readonly offers;
  private readonly tasks;
  private readonly claims;

  constructor(private readonly context: ClaimContext) {
    const { db } = context;
    this.tasks = repositoryOf(db, Task);
    this.offers = repositoryOf(db, claiming.offer.entity);
    this.claims = repositoryOf<typeof claiming.own.entity, ProofInput>(db, claiming.own.entity);
  }

  listOffers(input: InputOf<typeof claiming.offers>): Promise<ReplyOf<typeof claiming.offers>> {
    return this.offers.page(input, isOnOffer);
  }

  async detail(id: string): Promise<ReplyOf<typeof claiming.details>> {
    const [task] = await this.tasks.list(and(eq(tasks.id, id), sql`${tasks.status} = ${taskState.published}`));
    if (!task) throw new ApiError(problems.notFound);
    return task;
  }

  mine(userId: string, input: InputOf<typeof claiming.mine>): Promise<ReplyOf<typeof claiming.mine>> {
    return this.claims.page(input, eq(submissions.userId, userId));
  }

  /** Claims a place. Claims on one task run one after the other, and so do the claims of one user, so concurrent claims cannot exceed a limit. */
  async claim({ userId }: Principal, taskId: string): Promise<OwnClaim> {
    const { db } = this.context;
    await db.lock(`task-claim:${userId}`);
    const { title, unitPrice, perUserLimit, gradeId } = tasks;
    const [task] = await db.sql
      .update(tasks)
      .set({ claimed: sql`${tasks.claimed} + 1` })
      .where(and(eq(tasks.id, taskId), isActive(tasks), isOnOffer))
      .returning({ title, unitPrice, perUserLimit, gradeId });
    if (!task) throw await this.notClaimableError(taskId);
    await assertScore(this.context, userId, task.gradeId);
    await this.assertTaskLimits(userId, taskId, task);
    const { claimLimit, submitHours } = await claimRules(this.context);
    await this.assertOpenLimit(userId, claimLimit);
    const [row] = await queryRows<{ id: string }>(
      db,
      sql`insert into task_submission (task_id, task_title, user_id, nick_name, phone, openid, deadline, amount, create_user)
          select ${taskId}, ${task.title}, u.id, u.name, u.phone,
            (select uuid from user_oauth o where o.user_id = u.id and o.is_deleted = 0 and o.source like 'wechat%'
              order by o.source <> ${miniProgramSource}, o.id limit 1),
            date_trunc('second', now()) + make_interval(hours => ${submitHours}), ${task.unitPrice}, u.id
          from user_account u where u.id = ${userId}
          returning id::text as id`,
    );
    return this.claims.detail(row?.id ?? '');
  }

  /** Submits the proof of a claim, once and before its deadline. */
  async submit({ userId }: Principal, { id, ...proof }: ProofInput, fingerprints: readonly Fingerprint[]): Promise<OwnClaim> {
    if (!proof.link && !proof.images?.length) throw new ApiError(taskProblems.noProof, {}, { field: 'link' });
    const taskId = await this.close(id, userId, { auditStatus: reviewState.pending, submitTime: sql`date_trunc('second', now())` });
    await this.assertLink(taskId, proof.link);
    const submitted = sql`${tasks.submitted} + 1`;
    await this.context.db.sql.update(tasks).set({ submitted }).where(eq(tasks.id, taskId));
    const row = await this.claims.save({ id, ...proof });
    await storeFingerprints(this.context.db, id, fingerprints);
    return row;
  }

  async giveUp({ userId }: Principal, id: string): Promise<void> {
    const taskId = await this.close(id, userId, { auditStatus: reviewState.expired });
    const claimed = sql`${tasks.claimed} - 1`;
    await this.context.db.sql.update(tasks).set({ claimed }).where(eq(tasks.id, taskId));
  }

  /** Expires claims of all tenants past their deadline, which frees their places. */
  async expireOverdue(): Promise<void> {
    const { db } = this.context;
    await db.asPlatform('releases overdue claims of all tenants', async () => {
      await db.sql.execute(
        sql`with expired as (
              update task_submission set audit_status = ${reviewState.expired} where id in (
                select id from task_submission where audit_status = ${reviewState.inProgress} and is_deleted = 0 and deadline <= now() order by deadline limit 500 for update skip locked)
              returning task_id)
            update task set claimed = claimed - freed.count
            from (select task_id, count(*)::integer as count from expired group by task_id order by task_id) freed where task.id = freed.task_id`,
      );
    });
  }

  /** Closes an open claim of the user; returns the id of its task. */
  private async close(id: string, userId: string, set: { readonly auditStatus: SQL; readonly submitTime?: SQL }): Promise<string> {
    const { taskId, auditStatus, deadline } = submissions;
    const isOwn = and(eq(submissions.id, id), eq(submissions.userId, userId), isActive(submissions));
    const isOpen = and(isOwn, eq(auditStatus, reviewState.inProgress), sql`${deadline} > now()`);
    const [closed] = await this.context.db.sql.update(submissions).set(set).where(isOpen).returning({ taskId });
    if (closed) return closed.taskId;
    const [submission] = await this.context.db.sql.select({ taskId }).from(submissions).where(isOwn);
    throw new ApiError(submission ? taskProblems.claimClosed : problems.notFound);
  }

  private async notClaimableError(taskId: string): Promise<ApiError> {
    const isFull = sql<boolean>`${tasks.status} = ${taskState.published} and ${tasks.claimed} >= ${tasks.quantity}`;
    const where = and(eq(tasks.id, taskId), isActive(tasks));
    const [task] = await this.context.db.sql.select({ isFull }).from(tasks).where(where);
    return new ApiError(task ? (task.isFull ? taskProblems.isFull : taskProblems.notOpen) : problems.notFound);
  }

  private async assertTaskLimits(userId: string, taskId: string, { perUserLimit, gradeId }: Pick<TaskRow, 'perUserLimit' | 'gradeId'>): Promise<void> {
    const [count] = await queryRows<{ claimed: number; claimedToday: number; maxDaily: number }>(
      this.context.db,
      sql`select (select count(*)::integer from task_submission where task_id = ${taskId} and user_id = ${userId} and audit_status in (${reviewState.pending}, ${reviewState.approved}, ${reviewState.inProgress}) and is_deleted = 0) as claimed,
            (select count(*)::integer from task_submission s join task t on t.id = s.task_id
              where s.user_id = ${userId} and s.create_time >= current_date::timestamptz and t.grade_id = grade.id and s.is_deleted = 0) as "claimedToday",
            grade.max_daily as "maxDaily"
          from ${tableOf(TaskGrade)} grade where grade.id = ${gradeId}`,
    );
    const { claimed = 0, claimedToday = 0, maxDaily = 0 } = count ?? {};
    if (perUserLimit > 0 && claimed >= perUserLimit) throw new ApiError(taskProblems.userLimitReached, { limit: perUserLimit });
    if (maxDaily > 0 && claimedToday >= maxDaily) throw new ApiError(taskProblems.dailyLimitReached, { limit: maxDaily });
  }

  private async assertOpenLimit(userId: string, limit: number): Promise<void> {
    if (limit === 0) return;
    const isOpen = and(eq(submissions.userId, userId), eq(submissions.auditStatus, reviewState.inProgress), isActive(submissions));
    if ((await this.context.db.sql.$count(submissions, isOpen)) >= limit) throw new ApiError(taskProblems.openLimitReached, { limit });
  }

  private async assertLink(taskId: string, link: string | null | undefined): Promise<void> {
    if (!link) return;
    const [platform] = await queryRows<{ patterns: string | null }>(
      this.context.db,
      sql`select p.link_pattern as patterns from task t join ${tableOf(Platform)} p on p.id = t.platform_id where t.id = ${taskId}`,
    );
    const patterns = platform?.patterns ?? '';
    const isLink = /^https?:\/\//i.test(link) && URL.canParse(link);
    if (!isLink || (patterns.trim() !== '' && !matchesPatterns(patterns, link))) throw new ApiError(taskProblems.wrongLink, {}, { field: 'link' });
  }
}

interface ScoreRequirements {
  readonly minScore: number;
  readonly details: string | null;
}

/** Refuses a user whose credit score is below the minimum of the grade. The score is `score` in the platform details of a user; users without one are not checked. */
async function assertScore({ db }: Pick<ServerContext, 'db'>, userId: string, gradeId: string): Promise<void> {
  const [requirements] = await queryRows<ScoreRequirements>(
    db,
    sql`select grade.min_score as "minScore", (select user_ext from user_account where id = ${userId}) as details from ${tableOf(TaskGrade)} grade where grade.id = ${gradeId}`,
  );
  const { minScore = 0, details = null } = requirements ?? {};
  const score = parseScore(details);
  if (score !== undefined && score < minScore) throw new ApiError(taskProblems.lowScore, { least: minScore, score });
}

function parseScore(details: string | null): number | undefined {
  try {
    const { score } = JSON.parse(details ?? '{}') ?? {};
    return Number.isFinite(score) ? score : undefined;
  } catch {
    return undefined;
  }
}

const settings = tableOf(MiniappSetting);

/** Returns the limits and deadlines of the tenant's mini-app settings, or the defaults of the deployment. A `claimLimit` of 0 is no limit. */
export async function claimRules({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>) {
  const { claim_limit: claimLimit, submit_hours: submitHours, audit_hours: auditHours } = settings;
  const [saved] = await db.sql.select({ claimLimit, submitHours, auditHours }).from(settings).where(isActive(settings)).limit(1);
  if (saved) return saved;
  return {
    claimLimit: 0,
    submitHours: await parameters.integer(defaultHours.submit_hours),
    auditHours: await parameters.integer(defaultHours.audit_hours),
  };
}

/** Serves the calls of the mini-app. Pictures are read before the transaction that stores their fingerprints. */
export function claimRoutes(context: Pick<ServerContext, 'db' | 'parameters' | 'files'>, claims: Claims, invalidation: QueueInvalidation): PluginRoute[] {
  const { files } = context;

  return [
    route(claiming.offers, ({ input }) => claims.listOffers(input)),
    route(claiming.details, ({ input }) => claims.detail(input.id)),
    route(claiming.mine, ({ input, principal }) => claims.mine(principal.userId, input)),
    route(claiming.claim, async ({ input, principal }) => {
      await assertMiniAppClient(context, principal);
      return claims.claim(principal, input.taskId);
    }),
    route(
      claiming.submit,
      async ({ input, principal, prepared }) => {
        await assertMiniAppClient(context, principal);
        invalidation.markStale(principal.tenantId);
        return claims.submit(principal, input, prepared);
      },
      { prepare: ({ input, principal }: CallRequest<typeof claiming.submit>) => fingerprintsOf(files, principal.tenantId, input) },
    ),
    route(claiming.giveUp, async ({ input, principal }) => {
      await assertMiniAppClient(context, principal);
      await claims.giveUp(principal, input.id);
    }),
  ];
}

const miniAppGrants = ['captcha', 'sms_code', 'social', 'refresh_token', 'register'];

/** Seeds the client with which the mini-app of a new deployment signs users in; an existing one is not changed. */
export async function seedClient({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  await ensureClient(db, { clientId: 'miniapp', grants: miniAppGrants });
}

/** Refuses sessions that were not started by a client of the mini-app; a parameter lists these clients. */
async function assertMiniAppClient({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>, { sessionId }: Principal): Promise<void> {
  const clients = (await parameters.text(claimClients)).split(',').map((client) => client.trim());
  const [session] = await queryRows<{ client: string }>(db, sql`select client_id as client from session where id = ${sessionId}::uuid`);
  if (!session || !clients.includes(session.client)) throw new ApiError(taskProblems.wrongClient);
}
