import { sql } from 'drizzle-orm';
import { type Database, Refusal, type Repository, repositoryOf } from '#server';
import type { RowOf } from '#shared/contract';
import { snakeCase } from '#shared/text';
import { modelProblems, Prototype, type PrototypeForm } from '../contract.ts';
import { isFamilyColumn, isOwnProperty } from './names.ts';

type PrototypeRow = RowOf<typeof Prototype>;

/** What the columns of models become. */
export class Prototypes {
  private readonly rows: Repository<typeof Prototype>;

  constructor(private readonly db: Database) {
    this.rows = repositoryOf(db, Prototype);
  }

  /** Those of one model, in their order. */
  of(modelId: string): Promise<PrototypeRow[]> {
    return this.rows.list(sql`model_id = ${modelId}::bigint`);
  }

  /** These and no others, in this order. */
  async replace(modelId: string, forms: readonly PrototypeForm[]): Promise<void> {
    checkNames(forms);
    await this.db.lock(`fields of model ${modelId}`);
    const before = new Set((await this.of(modelId)).map(({ id }) => id));
    const kept = new Set(forms.flatMap(({ id }) => (id && before.has(id) ? [id] : [])));
    const gone = [...before].filter((id) => !kept.has(id));
    if (gone.length > 0) await this.rows.remove(gone);
    for (const [sort, { id, ...form }] of forms.entries())
      await this.rows.save({ ...form, modelId, sort, ...(id && kept.has(id) ? { id } : {}) } as PrototypeForm);
  }
}

/** What would neither compile nor be a column is refused while its author is at it. */
function checkNames(forms: readonly PrototypeForm[]): void {
  const seen = new Set<string>();
  for (const { propertyName: name, jdbcName, isList, isForm } of forms) {
    if (seen.has(name)) throw new Refusal(modelProblems.propertyTwice, { name });
    seen.add(name);
    const isUsed = isList === 1 || isForm === 1;
    if (isUsed && isOwnProperty(name) && !isFamilyColumn(jdbcName)) throw new Refusal(modelProblems.propertyTaken, { name });
    if (snakeCase(name).length > 63) throw new Refusal(modelProblems.propertyLong, { name });
  }
}
