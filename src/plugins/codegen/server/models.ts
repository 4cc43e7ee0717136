import { eq, inArray } from 'drizzle-orm';
import { Dictionaries } from '#plugins/dictionary/server-extension';
import { ApiError, crudRoutes, type Database, type PluginRoute, type Repository, repositoryOf, route, type ServerContext } from '#server';
import type { InputOf, RowOf } from '#shared/contract';
import { snakeCase } from '#shared/text';
import { Model, type ModelRow, model, modelProblems, Prototype, type PrototypeDraft, type PrototypeForm, prototype } from '../contract.ts';
import { type DatabaseColumn, maxColumns } from './databases/structure.ts';
import type { Datasources } from './datasources.ts';
import { type Guess, guessColumns } from './guess.ts';
import { classOf, humanize, isAuditColumn, isKernelProperty, propertyOf, uniqueName } from './names.ts';

/** Repository of models, with the prototypes of their columns. */
export class Models {
  readonly rows: Repository<typeof Model>;
  readonly prototypes: Prototypes;
  private readonly dictionaries: Dictionaries | undefined;

  constructor(
    private readonly context: ServerContext,
    private readonly datasources: Datasources,
  ) {
    const { db } = context;
    this.dictionaries = context.find(Dictionaries);
    this.prototypes = new Prototypes(db);
    this.rows = repositoryOf(db, Model, {
      unique: [{ fields: ['modelCode'] }],
      beforeSave: async ({ datasourceId }) => {
        if (datasourceId) await datasources.rows.detail(datasourceId);
      },
    });
  }

  routes(): PluginRoute[] {
    const usesNetwork = { manualTransactions: true };

    return [
      crudRoutes(model, this.rows, { search: { fields: ['modelName', 'modelCode'], subtitle: ['modelCode'], actions: { model_edit: true } } }),
      route(model.select, async () => (await this.rows.list()).map(({ id, modelName }) => ({ id, modelName }))),
      route(
        model.tableList,
        ({ input, principal: { tenantId } }) => this.datasources.use(tenantId, input.datasourceId, (reader) => reader.tables()),
        usesNetwork,
      ),
      route(model.tableInfo, ({ input, principal: { tenantId } }) => this.tableInfo(tenantId, input), usesNetwork),
      route(model.prototypes, ({ input, principal: { tenantId } }) => this.draftsOf(tenantId, input), usesNetwork),
      route(
        model.importTables,
        ({ input, principal: { tenantId } }) => this.importTables(tenantId, input.datasourceId, [...new Set(input.tables)]),
        usesNetwork,
      ),
      route(prototype.submitList, async ({ input }) => {
        const [modelId] = new Set(input.map((one) => one.modelId));
        if (modelId === undefined || input.some((one) => one.modelId !== modelId)) throw new ApiError(modelProblems.severalModels);
        await this.rows.detail(modelId);
        await this.prototypes.replace(modelId, input);
        return true as const;
      }),
      route(prototype.select, async ({ input }) => {
        const rows = input.modelId ? await this.prototypes.of(input.modelId) : [];
        return rows.map(({ jdbcName, jdbcComment, propertyName }) => ({ jdbcName, jdbcComment, propertyName }));
      }),
    ];
  }

  private async tableInfo(tenantId: string, input: { modelId?: string; datasourceId?: string; tableName?: string }) {
    const { db } = this.context;
    const row = input.modelId ? await db.read({ tenantId }, () => this.rows.detail(input.modelId as string)) : undefined;
    const name = row?.modelTable ?? input.tableName;
    if (name === undefined) return null;
    const found = await this.datasources.use(tenantId, row?.datasourceId ?? input.datasourceId, async (reader) => ({
      columns: await reader.columns(name),
      comment: (await reader.tables()).find((table) => table.name === name)?.comment ?? '',
    }));
    if (found.columns.length === 0) return null;
    const entityName = classOf(name);
    const fields = await this.guessFields(tenantId, name, found.columns);
    return { name, comment: found.comment || humanize(name), entityName, fields: fields.map((guess) => draftOf(guess, row?.id ?? '0')) };
  }

  private async draftsOf(tenantId: string, { modelId, datasourceId, current = false }: InputOf<typeof model.prototypes>): Promise<PrototypeDraft[]> {
    const { db } = this.context;
    if (!modelId) return [];
    const [row, saved] = await db.read({ tenantId }, async () => [await this.rows.detail(modelId), await this.prototypes.of(modelId)] as const);
    if (saved.length > 0 && !current) return saved.map((one) => draftOf(one, modelId));
    const columns = await this.datasources.use(tenantId, datasourceId ?? row.datasourceId, (reader) => reader.columns(row.modelTable));
    if (columns.length === 0) throw new ApiError(modelProblems.noTable, { name: row.modelTable });
    const savedByColumn = new Map(saved.map((one) => [one.jdbcName, one]));
    const usedNames = new Set(saved.map(({ propertyName }) => propertyName));
    const guesses = await this.guessFields(tenantId, row.modelTable, columns);
    return guesses.map((guess, sort) => {
      const before = savedByColumn.get(guess.jdbcName);
      // The database determines the properties of the column; all other settings are the operator's.
      if (before) {
        const { jdbcType, jdbcLength, jdbcScale, isKey, isUnique, referenceTable } = guess;
        return draftOf({ ...before, jdbcType, jdbcLength, jdbcScale, isKey, isUnique, referenceTable, sort }, modelId);
      }
      return draftOf({ ...guess, propertyName: uniqueName(guess.propertyName, usedNames), sort }, modelId);
    });
  }

  private async importTables(tenantId: string, datasourceId: string, tables: readonly string[]): Promise<{ added: number; skipped: number }> {
    const { db } = this.context;
    const found = await this.datasources.use(tenantId, datasourceId, async (reader) => {
      const comments = new Map((await reader.tables()).map(({ name, comment }) => [name, comment]));
      const read: { table: string; comment: string; columns: DatabaseColumn[] }[] = [];
      for (const table of tables) read.push({ table, comment: comments.get(table) ?? '', columns: await reader.columns(table) });
      return read;
    });
    for (const { table: name, columns } of found) {
      if (columns.length === 0) throw new ApiError(modelProblems.noTable, { name });
      // The reader stops at this limit, so further columns may exist.
      if (columns.length === maxColumns) throw new ApiError(modelProblems.tooWide, { name, max: maxColumns - 1 });
    }
    return db.write({ tenantId }, async () => {
      await db.lock('models are made of tables');
      const rows = await this.rows.list();
      const usedCodes = new Set(rows.map(({ modelCode }) => modelCode));
      const importedTables = new Set(rows.filter((row) => row.datasourceId === datasourceId).map(({ modelTable }) => modelTable));
      const wanted = found.filter(({ table }) => !importedTables.has(table));
      for (const { table, comment, columns } of wanted) {
        const modelCode = uniqueName(propertyOf(table, 'model'), usedCodes);
        usedCodes.add(modelCode);
        const row = await this.rows.save(modelForm({ table, comment, datasourceId, modelCode }));
        await this.prototypes.replace(
          row.id,
          (await this.guessFields(tenantId, table, columns)).map((guess) => ({ ...guess, modelId: row.id })),
        );
      }
      return { added: wanted.length, skipped: found.length - wanted.length };
    });
  }

  private async guessFields(tenantId: string, table: string, columns: readonly DatabaseColumn[]): Promise<Guess[]> {
    const dictionaries = await this.context.db.read({ tenantId }, async () => (await this.dictionaries?.codes()) ?? new Set<string>());
    return guessColumns(columns, { table, modelCode: propertyOf(table, 'model'), dictionaries });
  }
}

const draftOf = (one: Guess & { id?: string; version?: string }, modelId: string): PrototypeDraft => {
  const { version: _, ...properties } = Prototype.form.properties;
  const fields = Object.fromEntries(Object.keys(properties).map((name) => [name, one[name as keyof Guess] ?? null]));
  const version = one.version ? { version: one.version } : {};
  return { ...fields, ...version, id: one.id ?? null, modelId, name: one.jdbcName, comment: one.jdbcComment } as PrototypeDraft;
};

function modelForm({ table, comment, datasourceId, modelCode }: { table: string; comment: string; datasourceId: string; modelCode: string }) {
  const modelName =
    comment
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 64) || humanize(table);
  return { datasourceId, modelTable: table, modelCode, modelClass: modelCode.charAt(0).toUpperCase() + modelCode.slice(1), modelName } as ModelRow;
}

type PrototypeRow = RowOf<typeof Prototype>;

/** Repository of the prototypes of models. */
class Prototypes {
  private readonly rows: Repository<typeof Prototype>;

  constructor(private readonly db: Database) {
    this.rows = repositoryOf(db, Prototype);
  }

  /** Returns the prototypes of one model, in their order. */
  of(modelId: string): Promise<PrototypeRow[]> {
    return this.rows.list(eq(this.rows.table.modelId, modelId));
  }

  /** Returns the prototypes of several models by model, in their order. */
  async ofModels(modelIds: readonly string[]): Promise<ReadonlyMap<string, PrototypeRow[]>> {
    const rows = await this.rows.list(inArray(this.rows.table.modelId, [...modelIds]));
    const byModel = new Map<string, PrototypeRow[]>(modelIds.map((id) => [id, []]));
    for (const row of rows) byModel.get(row.modelId)?.push(row);
    return byModel;
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
