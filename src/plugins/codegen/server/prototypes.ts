import { eq } from 'drizzle-orm';
import { ApiError, type Database, type Repository, repositoryOf } from '#server';
import type { RowOf } from '#shared/contract';
import { snakeCase } from '#shared/text';
import { modelProblems, Prototype, type PrototypeForm } from '../contract.ts';
import { isAuditColumn, isKernelProperty } from './names.ts';

type PrototypeRow = RowOf<typeof Prototype>;

/** Repository of the prototypes of models. */
export class Prototypes {
  private readonly rows: Repository<typeof Prototype>;

  constructor(private readonly db: Database) {
    this.rows = repositoryOf(db, Prototype);
  }

  /** Returns the prototypes of one model, in their order. */
  of(modelId: string): Promise<PrototypeRow[]> {
    return this.rows.list(eq(this.rows.table.modelId, modelId));
  }

  /** Replaces all prototypes of a model, in this order. */
  async replace(modelId: string, forms: readonly PrototypeForm[]): Promise<void> {
    assertValidNames(forms);
    await this.db.lock(`fields of model ${modelId}`);
    const before = new Set((await this.of(modelId)).map(({ id }) => id));
    const keptIds = new Set(forms.flatMap(({ id }) => (id && before.has(id) ? [id] : [])));
    const removed = [...before].filter((id) => !keptIds.has(id));
    if (removed.length > 0) await this.rows.remove(removed);
    for (const [sort, { id, ...form }] of forms.entries()) await this.rows.save({ ...form, modelId, sort, ...(id && keptIds.has(id) ? { id } : {}) });
  }
}

/** Throws for names that would not compile or cannot be columns, while the author can still correct them. */
function assertValidNames(forms: readonly PrototypeForm[]): void {
  const seen = new Set<string>();
  for (const { propertyName: name, jdbcName, isList, isForm } of forms) {
    if (seen.has(name)) throw new ApiError(modelProblems.duplicateProperty, { name });
    seen.add(name);
    const isUsed = isList === 1 || isForm === 1;
    if (isUsed && isKernelProperty(name) && !isAuditColumn(jdbcName)) throw new ApiError(modelProblems.reservedProperty, { name });
    if (snakeCase(name).length > 63) throw new ApiError(modelProblems.propertyTooLong, { name });
  }
}
