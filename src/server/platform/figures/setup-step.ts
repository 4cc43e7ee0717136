import { type SQL, sql } from 'drizzle-orm';
import type { SetupStep } from '#shared/figures';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { FigureSource } from './figures.ts';

/** Declaration of a setup checklist row. */
interface SetupStepOptions extends Omit<SetupStep, 'isDone'>, Pick<FigureSource, 'code' | 'sort' | 'entities' | 'isPersonal'> {
  /** SQL condition that holds once the step is done, read within the reader's tenant. */
  readonly isDone: () => SQL;
}

/** Creates a setup checklist row that is done as soon as its condition holds. Only users with its code see it. */
export function setupStep(db: Database, { code, sort = 50, entities, isPersonal = false, isDone, ...step }: SetupStepOptions): FigureSource {
  return {
    id: `setup:${step.id}`,
    code,
    sort,
    entities,
    isPersonal,
    async read() {
      const [row] = await queryRows<{ isDone: boolean }>(db, sql`select (${isDone()})::boolean as "isDone"`);
      return { setup: [{ ...step, isDone: row?.isDone ?? false }] };
    },
  };
}
