import type { SQL } from 'drizzle-orm';
import { crudRoutes, nodesOf, type PluginRoute, route, type ServerContext, treeOf, withVisibleLabels } from '#server';
import type { Language } from '#shared/text';
import type { DictCalls, DictEntity } from '../contract.ts';
import { archivedEntries, dictionariesOf, hasCode, isDictionary, selectableEntries } from './dictionaries.ts';

/** Code with which BladeX-compatible clients request all dictionaries. */
const allDictionariesCode = 'DICT';

/** Serves the calls of system or business dictionaries. */
export function dictRoutes(context: ServerContext, calls: DictCalls, entity: DictEntity): PluginRoute[] {
  const dicts = dictionariesOf(context, entity);
  const areDictionaries = isDictionary(entity);
  const nodes = async (where: SQL | undefined, language: Language) =>
    nodesOf(withVisibleLabels(entity, await dicts.list(where), 'dictValue', language), 'dictValue');

  return [
    crudRoutes(calls, dicts, {
      exportWhere: () => areDictionaries,
      search: { fields: ['dictValue', 'dictValueEn', 'code', 'dictKey'], subtitle: ['code', 'dictKey'] },
    }),
    route(calls.parentList, ({ input }) => dicts.page(input, areDictionaries)),
    route(calls.childList, ({ input: { parentId, ...query } }) => dicts.below(String(parentId ?? ''), query)),
    route(calls.tree, ({ input: { code = allDictionariesCode }, language }) =>
      nodes(code === allDictionariesCode ? undefined : hasCode(entity, code), language),
    ),
    route(calls.parentTree, ({ language }) => nodes(areDictionaries, language)),
    route(calls.dictionary, async ({ input: { code, includesArchived } }) => {
      const entries = await dicts.list(selectableEntries(entity, code));
      return includesArchived ? [...entries, ...(await archivedEntries(context, entity, code))] : entries;
    }),
    route(calls.dictionaryTree, async ({ input }) => treeOf(await dicts.list(selectableEntries(entity, input.code)))),
    route(calls.select, () => dicts.list(areDictionaries)),
  ];
}
