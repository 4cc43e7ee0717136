import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import {
  ApiError,
  assertUnused,
  crudRoutes,
  dictionaryTarget,
  isActive,
  nodesOf,
  type PluginRoute,
  queryRows,
  repositoryOf,
  route,
  type ServerContext,
  type TreeRepository,
  tableOf,
  treeOf,
  treeRepositoryOf,
  type WriteContext,
  withoutOutdatedEnglish,
  withVisibleLabels,
} from '#server';
import { businessCode, isBusinessCode, stripBusinessPrefix } from '#shared/rich-fields';
import { archivedName, rowStates } from '#shared/row-states';
import { type Language, localize } from '#shared/text';
import { fieldProblem } from '#shared/validation';
import { Dict, DictBiz, type DictCalls, type DictEntity, type DictRow, type DictSubmit, dictProblems, titleOfDict } from '../contract.ts';
import { DictSaved } from '../events.ts';
import type { Dictionaries } from '../server-extension.ts';

const root = '0';
/** Value of `dict_key` in rows that are dictionaries and not entries. */
export const dictionaryKey = '-1';

type DictionariesDeps = Pick<ServerContext, 'db' | 'emit' | 'live'>;

/** Condition for rows that are dictionaries. */
export const isDictionary = (entity: DictEntity) => eq(tableOf(entity).parentId, root);
/** Condition for the rows of one code, including the dictionary itself. */
export const hasCode = (entity: DictEntity, code: string) => eq(tableOf(entity).code, code);
const entriesOf = (entity: DictEntity, code: string) => and(hasCode(entity, code), ne(tableOf(entity).parentId, root));
/** Condition for the entries of a dictionary that can be selected. */
export const selectableEntries = (entity: DictEntity, code: string) => and(entriesOf(entity, code), eq(tableOf(entity).isSealed, 0));

/** Repository of dictionaries and their entries. An entry carries its dictionary's code, and keys are unique within a dictionary. */
export function dictionariesOf(context: DictionariesDeps, entity: DictEntity = Dict): TreeRepository<DictEntity, DictSubmit> {
  const dicts: TreeRepository<DictEntity, DictSubmit> = treeRepositoryOf(context.db, entity, {
    unique: [{ fields: ['code', 'dictKey'], problem: dictProblems.taken }],
    complete: (form, writing) => ({ ...completeCodeAndKey(form, writing), ...withoutOutdatedEnglish(entity, form, writing) }),
    async saved(after, before) {
      if (before && before.code !== after.code) for (const child of await dicts.list(eq(dicts.table.parentId, after.id))) await dicts.save(child);
      await publishChange(context, entity, [after.code, before?.code ?? after.code]);
    },
    beforeRemove: (rows) => assertEntriesUnused(context.db, entity, rows),
    beforeArchive: () => undefined,
    removed: (rows) =>
      publishChange(
        context,
        entity,
        rows.map(({ code }) => code),
      ),
  });
  return dicts;
}

/** Refuses to delete entries whose keys are stored in rows. */
async function assertEntriesUnused(db: ServerContext['db'], entity: DictEntity, rows: readonly DictRow[]): Promise<void> {
  const entries = rows.filter(({ parentId }) => parentId !== root);
  for (const code of new Set(entries.map((entry) => entry.code))) {
    const target = dictionaryTarget(entity === DictBiz ? businessCode(code) : code);
    await assertUnused(
      db,
      entity,
      entries.filter((entry) => entry.code === code),
      target,
    );
  }
}

/** Notifies consoles of a change: all of them for a system dictionary, those of the tenant for a business dictionary. */
async function publishChange({ db, emit, live }: DictionariesDeps, entity: DictEntity, codes: readonly string[]): Promise<void> {
  const tenant = entity.owner === 'tenant' ? db.scope?.tenantId : undefined;
  for (const code of new Set(codes)) {
    const change = { code: entity === DictBiz ? businessCode(code) : code };
    emit(DictSaved, change);
    await live.publish(DictSaved, change, tenant === undefined ? { everyone: true } : { tenant });
  }
}

/** Lists the archived entries of a dictionary, whose names existing rows still show. */
export async function archivedEntries({ db }: Pick<ServerContext, 'db'>, entity: DictEntity, code: string): Promise<DictRow[]> {
  const table = tableOf(entity);
  const isArchived = eq(table.isDeleted, rowStates.archived);
  return (await db.sql
    .select(getTableColumns(table))
    .from(table)
    .where(and(isArchived, entriesOf(entity, code)))) as DictRow[];
}

/** Returns the labels of entries, including sealed and archived ones because existing rows still use them. */
export function dictionaryLabels({ db }: Pick<ServerContext, 'db'>) {
  const system = repositoryOf(db, Dict);
  const business = repositoryOf(db, DictBiz);
  return async (dictCode: string) => {
    const [dicts, entity, code] = isBusinessCode(dictCode)
      ? ([business, DictBiz, stripBusinessPrefix(dictCode)] as const)
      : ([system, Dict, dictCode] as const);
    const entries = await dicts.list(entriesOf(entity, code));
    const archived = await archivedEntries({ db }, entity, code);
    return [
      ...entries.map((entry) => [entry.dictKey, titleOfDict(entry)] as const),
      ...archived.map((entry) => {
        const [name, nameEn] = titleOfDict(entry);
        return [entry.dictKey, [localize(archivedName, 'zh', { name }), localize(archivedName, 'en', { name: nameEn })]] as const;
      }),
    ];
  };
}

/** Implements the port through which other plugins read and copy dictionaries. */
export class DictionaryService implements Dictionaries {
  constructor(private readonly db: ServerContext['db']) {}

  async codes(): Promise<Set<string>> {
    const table = tableOf(Dict);
    const where = and(isDictionary(Dict), isActive(table));
    const rows = await this.db.sql.selectDistinct({ code: table.code }).from(table).where(where);
    return new Set(rows.map(({ code }) => code));
  }

  async copyTo(tenantId: string): Promise<void> {
    await this.db.asPlatform('copies the business dictionaries of the platform to a new tenant', () =>
      queryRows(
        this.db,
        sql`with source as materialized (select next_id() as new_id, d.* from dict_biz d where d.tenant_id = '000000' and d.is_deleted = 0)
            insert into dict_biz (id, tenant_id, parent_id, code, dict_key, dict_value, dict_value_en, tone, sort, is_sealed, remark)
            select s.new_id, ${tenantId}, coalesce(parent.new_id, 0), s.code, s.dict_key, s.dict_value, s.dict_value_en, s.tone, s.sort, s.is_sealed, s.remark
            from source s left join source parent on parent.id = s.parent_id`,
      ),
    );
  }
}

/** Completes a form: an entry takes its code from its parent, and a dictionary has a fixed key. Missing values are refused with the messages of the form. */
function completeCodeAndKey(form: DictSubmit, { before, parent }: WriteContext<DictEntity>): Pick<DictRow, 'code' | 'dictKey'> {
  if (parent) return { code: parent.code, dictKey: requireField('dictKey', form.dictKey ?? before?.dictKey) };
  // A form with a key and without a code belongs to an entry, which needs a parent.
  if (form.dictKey && !form.code) requireField('parentId', undefined);
  return { code: requireField('code', form.code ?? before?.code), dictKey: dictionaryKey };
}

function requireField(name: 'code' | 'dictKey' | 'parentId', value: string | undefined): string {
  const message = fieldProblem(Dict.fields[name], value, true);
  if (message) throw new ApiError({ status: 400, message });
  return value ?? '';
}

/** Code with which BladeX-compatible clients request all dictionaries. */
const allDictionariesCode = 'DICT';

/** Serves the calls of system or business dictionaries. */
export function dictRoutes(context: ServerContext, calls: DictCalls, entity: DictEntity): PluginRoute[] {
  const dicts = dictionariesOf(context, entity);
  const onlyDictionaries = isDictionary(entity);
  const nodes = async (where: SQL | undefined, language: Language) =>
    nodesOf(withVisibleLabels(entity, await dicts.list(where), 'dictValue', language), 'dictValue');

  return [
    crudRoutes(calls, dicts, {
      exportWhere: () => onlyDictionaries,
      search: { fields: ['dictValue', 'dictValueEn', 'code', 'dictKey'], subtitle: ['code', 'dictKey'] },
    }),
    route(calls.parentList, ({ input }) => dicts.page(input, onlyDictionaries)),
    route(calls.childList, ({ input: { parentId, ...query } }) => dicts.below(String(parentId ?? ''), query)),
    route(calls.tree, ({ input: { code = allDictionariesCode }, language }) =>
      nodes(code === allDictionariesCode ? undefined : hasCode(entity, code), language),
    ),
    route(calls.parentTree, ({ language }) => nodes(onlyDictionaries, language)),
    route(calls.dictionary, async ({ input: { code, includesArchived } }) => {
      const entries = await dicts.list(selectableEntries(entity, code));
      return includesArchived ? [...entries, ...(await archivedEntries(context, entity, code))] : entries;
    }),
    route(calls.dictionaryTree, async ({ input }) => treeOf(await dicts.list(selectableEntries(entity, input.code)))),
    route(calls.select, () => dicts.list(onlyDictionaries)),
  ];
}
