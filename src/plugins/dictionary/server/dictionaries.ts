import { and, eq, ne } from 'drizzle-orm';
import { ApiError, repositoryOf, type ServerContext, type TreeRepository, tableOf, treeRepositoryOf, type WriteContext } from '#server';
import { businessCode, isBusinessCode, plainCode } from '#shared/rich-fields';
import { fieldProblem } from '#shared/validation';
import { Dict, DictBiz, type DictEntity, type DictRow, type DictSubmit, dictProblems } from '../contract.ts';
import { DictSaved } from '../events.ts';

const root = '0';
/** Key of rows that are dictionaries. */
export const headKey = '-1';

type DictionariesDeps = Pick<ServerContext, 'db' | 'emit' | 'live'>;

/** Condition for rows that are dictionaries. */
export const isHead = (of: DictEntity) => eq(tableOf(of).parentId, root);
/** Condition for the rows of one code, including the dictionary itself. */
export const ofCode = (of: DictEntity, code: string) => eq(tableOf(of).code, code);
const entriesOf = (of: DictEntity, code: string) => and(ofCode(of, code), ne(tableOf(of).parentId, root));
/** Condition for the entries of a dictionary that can be selected. */
export const choicesOf = (of: DictEntity, code: string) => and(entriesOf(of, code), eq(tableOf(of).isSealed, 0));

/** Repository of dictionaries and their entries. An entry carries its dictionary's code, and keys are unique within a dictionary. */
export function dictionariesOf(context: DictionariesDeps, of: DictEntity = Dict): TreeRepository<DictEntity, DictSubmit> {
  const dicts: TreeRepository<DictEntity, DictSubmit> = treeRepositoryOf(context.db, of, {
    unique: [{ fields: ['code', 'dictKey'], problem: dictProblems.taken }],
    complete: codeAndKey,
    async saved(after, before) {
      if (before && before.code !== after.code) for (const child of await dicts.list(eq(dicts.table.parentId, after.id))) await dicts.save(child);
      await publishChange(context, of, [after.code, before?.code ?? after.code]);
    },
    removed: (rows) =>
      publishChange(
        context,
        of,
        rows.map(({ code }) => code),
      ),
  });
  return dicts;
}

/** Notifies consoles of a change: all of them for a system dictionary, those of the tenant for a business dictionary. */
async function publishChange({ db, emit, live }: DictionariesDeps, of: DictEntity, codes: readonly string[]): Promise<void> {
  const tenant = of.owner === 'tenant' ? db.scope?.tenantId : undefined;
  for (const code of new Set(codes)) {
    const change = { code: of === DictBiz ? businessCode(code) : code };
    emit(DictSaved, change);
    await live.publish(DictSaved, change, tenant === undefined ? { everyone: true } : { tenant });
  }
}

/** Returns the labels of entries, including sealed ones because existing rows still use them. */
export function dictionaryLabels({ db }: Pick<ServerContext, 'db'>) {
  const system = repositoryOf(db, Dict);
  const business = repositoryOf(db, DictBiz);
  return async (dictCode: string) => {
    const [dicts, of, code] = isBusinessCode(dictCode) ? ([business, DictBiz, plainCode(dictCode)] as const) : ([system, Dict, dictCode] as const);
    const entries = await dicts.list(entriesOf(of, code));
    return entries.map(({ dictKey, dictValue }) => [dictKey, [dictValue, dictValue]] as const);
  };
}

/** An entry takes its code from its parent, and the key of a dictionary is fixed; missing values are refused with the form's own messages. */
function codeAndKey(form: DictSubmit, { before, parent }: WriteContext<DictEntity>): Pick<DictRow, 'code' | 'dictKey'> {
  if (parent) return { code: parent.code, dictKey: validField('dictKey', form.dictKey ?? before?.dictKey) };
  // A form with a key and without a code belongs to an entry, which needs a parent.
  if (form.dictKey && !form.code) validField('parentId', undefined);
  return { code: validField('code', form.code ?? before?.code), dictKey: headKey };
}

function validField(name: 'code' | 'dictKey' | 'parentId', value: string | undefined): string {
  const message = fieldProblem(Dict.fields[name], value, true);
  if (message) throw new ApiError({ status: 400, message: message });
  return value ?? '';
}
