import { sql } from 'drizzle-orm';
import { TaskGrade } from '#plugins/base-data/contract';
import { ApiError, queryRows, type ServerContext, tableOf } from '#server';
import { taskProblems } from '../contract.ts';

interface ScoreRequirements {
  readonly least: number;
  readonly details: string | null;
}

/** Refuses a user whose credit score is below the minimum of the grade. The score is `score` in the platform details of a user; users without one are not checked. */
export async function refuseLowScore({ db }: Pick<ServerContext, 'db'>, userId: string, gradeId: string): Promise<void> {
  const [requirements] = await queryRows<ScoreRequirements>(
    db,
    sql`select grade.min_score as least, (select user_ext from user_account where id = ${userId}) as details from ${tableOf(TaskGrade)} grade where grade.id = ${gradeId}`,
  );
  const { least = 0, details = null } = requirements ?? {};
  const score = scoreIn(details);
  if (score !== undefined && score < least) throw new ApiError(taskProblems.lowScore, { least, score });
}

function scoreIn(details: string | null): number | undefined {
  try {
    const { score } = JSON.parse(details ?? '{}') ?? {};
    return Number.isFinite(score) ? score : undefined;
  } catch {
    return undefined;
  }
}
