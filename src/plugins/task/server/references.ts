import { sql } from 'drizzle-orm';
import { Advertiser, Category, City, Platform, TaskGrade } from '#plugins/base-data/contract';
import { DepartResource, kinds, standings } from '#plugins/resource/contract';
import { ApiError, idArray, problem, queryRows, type ServerContext, tableOf } from '#server';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { localize } from '#shared/text';
import { Task, type TaskRow, taskProblems } from '../contract.ts';

type TaskReferences = Pick<TaskRow, 'advertiserId' | 'platformId' | 'categoryId' | 'gradeId' | 'cityIds' | 'resourceIds' | 'unitPrice'>;

interface ReferenceCheck {
  readonly advertiserId: boolean;
  readonly platformId: boolean;
  readonly categoryId: boolean;
  readonly cityIds: boolean;
  readonly resourceIds: boolean;
  readonly least: number | null;
  readonly most: number | null;
}

/** Refuses a task that references missing or disabled rows, or has a price its grade does not allow. */
export async function refuseWrongParts(db: ServerContext['db'], task: TaskReferences): Promise<void> {
  const [advertisers, platforms, categories, grades, cities, resources] = [Advertiser, Platform, Category, TaskGrade, City, DepartResource].map(
    (entity: Entity) => tableOf(entity),
  );
  const inUse = (table: unknown, id: string) => sql`exists (select from ${table} where id = ${id} and is_deleted = 0 and status = 1)`;
  const wanted = [...new Set(task.cityIds ?? [])];
  const materials = [...new Set(task.resourceIds ?? [])];
  const [found] = await queryRows<ReferenceCheck>(
    db,
    sql`select ${inUse(advertisers, task.advertiserId)} as "advertiserId", ${inUse(platforms, task.platformId)} as "platformId",
          ${inUse(categories, task.categoryId)} as "categoryId",
          (select count(*) from ${cities} where id = any(${idArray(wanted)}) and is_deleted = 0) = ${wanted.length}::integer as "cityIds",
          (select count(*) from ${resources} where id = any(${idArray(materials)}) and type = ${kinds.file} and status = ${standings.approved} and is_deleted = 0)
            = ${materials.length}::integer as "resourceIds",
          grade.min_price::integer as least, grade.max_price::float as most
        from (select) one left join ${grades} grade on grade.id = ${task.gradeId} and grade.is_deleted = 0 and grade.status = 1`,
  );
  const missing = (['advertiserId', 'platformId', 'categoryId', 'cityIds', 'resourceIds'] as const).find((field) => !found?.[field]);
  if (missing) throw unknownPart(missing);
  const { least, most } = found as ReferenceCheck;
  if (least === null || most === null) throw unknownPart('gradeId');
  const tooMuch = most > 0 && task.unitPrice > most;
  if (task.unitPrice < least || tooMuch)
    throw new ApiError(taskProblems.priceOutside, { least: yuan(least), most: most > 0 ? yuan(most) : '∞' }, { field: 'unitPrice' });
}

const yuan = (fen: number) => (fen / 100).toFixed(2);

function unknownPart(field: keyof typeof Task.fields): ApiError {
  const { status, message: text } = taskProblems.unknownPart;
  const [zh, en] = traitsOf(Task.fields[field])?.title ?? ['', ''];
  return new ApiError(problem(status, [localize(text, 'zh', { name: zh }), localize(text, 'en', { name: en })]), {}, { field });
}
