import { and, eq, ne } from 'drizzle-orm';
import { Refusal, type ServerContext, type TreeRepository, tableOf, treeRepositoryOf, type Writing } from '#server';
import { fieldProblem } from '#shared/validation';
import { Dict, type DictRow, DictSaved, type DictSubmit, dictProblems } from '../contract.ts';

const root = '0';
const headKey = '-1';

/** The rows that are dictionaries. */
export const isHead = eq(tableOf(Dict).parentId, root);
/** The rows of one code, the dictionary itself among them. */
export const ofCode = (code: string) => eq(tableOf(Dict).code, code);
/** The entries of a dictionary that may still be chosen. */
export const choicesOf = (code: string) => and(ofCode(code), ne(tableOf(Dict).parentId, root), eq(tableOf(Dict).isSealed, 0));

/** Dictionaries and their entries. An entry carries its dictionary's code, and a key occurs once within a dictionary. */
export function dictionariesOf({ db, emit }: Pick<ServerContext, 'db' | 'emit'>): TreeRepository<typeof Dict, DictSubmit> {
  const dicts: TreeRepository<typeof Dict, DictSubmit> = treeRepositoryOf(db, Dict, {
    unique: [{ fields: ['code', 'dictKey'], problem: dictProblems.taken }],
    complete: codeAndKey,
    async saved(after, before) {
      if (before && before.code !== after.code) for (const child of await dicts.list(eq(dicts.table.parentId, after.id))) await dicts.save(child);
      for (const code of new Set([after.code, before?.code ?? after.code])) emit(DictSaved, { code });
    },
    removed(rows) {
      for (const code of new Set(rows.map(({ code }) => code))) emit(DictSaved, { code });
    },
  });
  return dicts;
}

/** An entry's code is its parent's, a dictionary's key is always the same; what is lacking is refused in the form's own words. */
function codeAndKey(form: DictSubmit, { before, parent }: Writing<typeof Dict>): Pick<DictRow, 'code' | 'dictKey'> {
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
