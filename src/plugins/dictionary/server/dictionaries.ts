import { and, eq, ne } from 'drizzle-orm';
import { Refusal, repositoryOf, type ServerContext, type TreeRepository, tableOf, treeRepositoryOf, type Writing } from '#server';
import { businessCode, isBusinessCode, plainCode } from '#shared/rich-fields';
import { fieldProblem } from '#shared/validation';
import { Dict, DictBiz, type DictEntity, type DictRow, type DictSubmit, dictProblems } from '../contract.ts';
import { DictSaved } from '../events.ts';

const root = '0';
/** The key of a row that is a dictionary. */
export const headKey = '-1';

type Told = Pick<ServerContext, 'db' | 'emit' | 'live'>;

/** The rows that are dictionaries. */
export const isHead = (of: DictEntity) => eq(tableOf(of).parentId, root);
/** The rows of one code, the dictionary itself among them. */
export const ofCode = (of: DictEntity, code: string) => eq(tableOf(of).code, code);
const entriesOf = (of: DictEntity, code: string) => and(ofCode(of, code), ne(tableOf(of).parentId, root));
/** The entries of a dictionary that may still be chosen. */
export const choicesOf = (of: DictEntity, code: string) => and(entriesOf(of, code), eq(tableOf(of).isSealed, 0));

/** Dictionaries and their entries. An entry carries its dictionary's code, and a key occurs once within a dictionary. */
export function dictionariesOf(context: Told, of: DictEntity = Dict): TreeRepository<DictEntity, DictSubmit> {
  const dicts: TreeRepository<DictEntity, DictSubmit> = treeRepositoryOf(context.db, of, {
    unique: [{ fields: ['code', 'dictKey'], problem: dictProblems.taken }],
    complete: codeAndKey,
    async saved(after, before) {
      if (before && before.code !== after.code) for (const child of await dicts.list(eq(dicts.table.parentId, after.id))) await dicts.save(child);
      await tell(context, of, [after.code, before?.code ?? after.code]);
    },
    removed: (rows) =>
      tell(
        context,
        of,
        rows.map(({ code }) => code),
      ),
  });
  return dicts;
}

/** Everybody's consoles hear of a system dictionary, those of the tenant of its own. */
async function tell({ db, emit, live }: Told, of: DictEntity, codes: readonly string[]): Promise<void> {
  const tenant = of.owner === 'tenant' ? db.scope?.tenantId : undefined;
  for (const code of new Set(codes)) {
    const change = { code: of === DictBiz ? businessCode(code) : code };
    emit(DictSaved, change);
    await live.publish(DictSaved, change, tenant === undefined ? { everyone: true } : { tenant });
  }
}

/** The entries of a dictionary in words, sealed ones too: rows written before still carry them. */
export function dictionaryWords({ db }: Pick<ServerContext, 'db'>) {
  const system = repositoryOf(db, Dict);
  const business = repositoryOf(db, DictBiz);
  return async (asked: string) => {
    const [dicts, of, code] = isBusinessCode(asked) ? ([business, DictBiz, plainCode(asked)] as const) : ([system, Dict, asked] as const);
    const entries = await dicts.list(entriesOf(of, code));
    return entries.map(({ dictKey, dictValue }) => [dictKey, [dictValue, dictValue]] as const);
  };
}

/** An entry's code is its parent's, a dictionary's key is always the same; what is lacking is refused in the form's own words. */
function codeAndKey(form: DictSubmit, { before, parent }: Writing<DictEntity>): Pick<DictRow, 'code' | 'dictKey'> {
  if (parent) return { code: parent.code, dictKey: entered('dictKey', form.dictKey ?? before?.dictKey) };
  // A form with a key and without a code is an entry's: it has nowhere to stand at the top.
  if (form.dictKey && !form.code) entered('parentId', undefined);
  return { code: entered('code', form.code ?? before?.code), dictKey: headKey };
}

function entered(name: 'code' | 'dictKey' | 'parentId', value: string | undefined): string {
  const words = fieldProblem(Dict.fields[name], value, true);
  if (words) throw new Refusal({ status: 400, words });
  return value ?? '';
}
