import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type ServerContext } from '#server';
import { type CodeRow, codeProblems } from '../contract.ts';
import { fieldPlans, type ReferenceTargets } from './emit/field-plan.ts';
import { nameField } from './emit/halves.ts';
import { isReserved } from './emit/migration-file.ts';
import type { EntityPlan, FieldPlan, PluginPlan } from './emit/plan.ts';
import type { Models } from './models.ts';
import { classOf, isReservedName, propertyOf } from './names.ts';

/** Builds plugin plans from models. */
export class Plans {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly models: Models,
  ) {}

  async of(row: CodeRow): Promise<PluginPlan> {
    assertUnreservedNames(row);
    await this.assertUnique(row);
    const targets = await this.targets(row);
    const main = await this.entityPlan(row.modelId, row.tableName, row, targets);
    const details = row.templateType === 'sub' ? await this.details(row, main, targets) : undefined;
    const title = [row.codeName, row.englishName] as const;
    const isTree = row.templateType === 'tree';
    if (isTree && main.fields.some(({ name }) => name === 'parentId') && row.treePid !== 'parentId')
      throw new ApiError(codeProblems.reserved, { name: 'parentId' });
    return {
      id: row.serviceName,
      title,
      isTree,
      details,
      main: isTree ? { ...main, fields: withParent(main.fields, row.treePid ?? '') } : main,
      menu: { path: row.webPath, under: row.menuGroup },
    };
  }

  /** Throws for a plugin id or page that already exists in this system. */
  private async assertUnique({ serviceName, tableName }: CodeRow): Promise<void> {
    const [conflict] = await queryRows<{ plugin: boolean; page: boolean }>(
      this.db,
      sql`select
            exists (select from seeded_menu where plugin_id = ${serviceName}) and not exists (select from seeded_menu where plugin_id = ${serviceName} and code = ${tableName}) as plugin,
            exists (select from seeded_menu where plugin_id <> ${serviceName} and code = ${tableName}) as page`,
    );
    if (conflict?.plugin) throw new ApiError(codeProblems.reserved, { name: serviceName }, { field: 'serviceName' });
    if (conflict?.page) throw new ApiError(codeProblems.reserved, { name: tableName }, { field: 'tableName' });
  }

  private async entityPlan(modelId: string, table: string, { codeName, englishName, apiPath }: CodeRow, targets: ReferenceTargets): Promise<EntityPlan> {
    const fields = fieldPlans((await this.models.prototypes.of(modelId)) as Parameters<typeof fieldPlans>[0], targets);
    if (fields.length === 0) throw new ApiError(codeProblems.noFields);
    const constant = propertyOf(table, 'rows');
    return {
      table,
      entityConstant: classOf(table),
      constant: isReservedName(constant) ? `${constant}Calls` : constant,
      title: [codeName, englishName],
      apiPath,
      fields,
    };
  }

  private async details(row: CodeRow, main: EntityPlan, targets: ReferenceTargets): Promise<NonNullable<PluginPlan['details']>> {
    const model = await this.models.rows.detail(row.subModelId ?? '0');
    const entityPlan = await this.entityPlan(model.id, `${row.tableName}_detail`, row, targets);
    const foreignKey = row.subFkId ?? '';
    const owner: FieldPlan['traits'] = { from: { call: { path: `${main.apiPath}/list` }, paged: true, title: nameField(main) }, search: true };
    const fields = entityPlan.fields.map((field) =>
      field.name === foreignKey
        ? {
            ...field,
            builder: 'Reference',
            traits: { title: field.traits.title, ...owner },
            sqlType: 'bigint',
            isSortable: false,
            isUnique: false,
            sample: '1',
          }
        : field,
    );
    if (!fields.some(({ name }) => name === foreignKey)) throw new ApiError(codeProblems.noProperty, { name: foreignKey });
    return { ...entityPlan, title: [model.modelName, model.modelName], apiPath: `${row.apiPath}/details`, fields, foreignKey };
  }

  /** Returns the tables of the same data source for which a plugin is generated. */
  private async targets(row: CodeRow): Promise<ReferenceTargets> {
    const { datasourceId } = await this.models.rows.detail(row.modelId);
    const found = await queryRows<{ modelTable: string; apiPath: string; modelId: string }>(
      this.db,
      sql`select m.model_table as "modelTable", c.api_path as "apiPath", m.id::text as "modelId" from code c join model m on m.id = c.model_id
          where m.datasource_id = ${datasourceId}::bigint and c.is_deleted = 0 and m.is_deleted <> 1 order by c.id`,
    );
    const targets = new Map<string, { apiPath: string; title: string }>();
    const prototypes = await this.models.prototypes.ofModels(found.map(({ modelId }) => modelId));
    for (const { modelTable, apiPath, modelId } of found) {
      const fields = fieldPlans((prototypes.get(modelId) ?? []) as Parameters<typeof fieldPlans>[0], new Map());
      targets.set(modelTable, { apiPath, title: nameField({ fields }) });
    }
    return targets;
  }
}

/** Replaces the property with the parent's id by the tree's own field. */
function withParent(fields: readonly FieldPlan[], treePid: string): FieldPlan[] {
  const own = fields.find(({ name }) => name === treePid);
  if (!own) throw new ApiError(codeProblems.noProperty, { name: treePid });
  const parent: FieldPlan = {
    name: 'parentId',
    builder: 'Parent',
    traits: { title: own.traits.title },
    isMultiple: false,
    isOptional: false,
    sqlType: 'bigint',
    preset: '0',
    isUnique: false,
    isSortable: false,
    sample: '0',
  };
  return fields.map((field) => (field === own ? parent : field));
}

function assertUnreservedNames({ serviceName, tableName }: CodeRow): void {
  if (isReservedTable(tableName)) throw new ApiError(codeProblems.reserved, { name: tableName }, { field: 'tableName' });
  if (serviceName === 'codegen' || serviceName === 'kernel') throw new ApiError(codeProblems.reserved, { name: serviceName }, { field: 'serviceName' });
}

/** Tests whether a table name is reserved by SQL, or its entity name by the emitted files. */
export const isReservedTable = (name: string): boolean => isReserved(name) || isReservedName(classOf(name));
