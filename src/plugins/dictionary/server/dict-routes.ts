import type { SQL } from 'drizzle-orm';
import { crudRoutes, nodesOf, type PluginRoute, route, type ServerContext, treeOf, withVisibleLabels } from '#server';
import type { DictCalls, DictEntity } from '../contract.ts';
import { archivedEntries, dictionariesOf, hasCode, isDictionary, selectableEntries } from './dictionaries.ts';

/** Code with which BladeX-compatible clients request all dictionaries. */
const allDictionariesCode = 'DICT';

/** Serves the calls of system or business dictionaries. */
export function dictRoutes(context: ServerContext, calls: DictCalls, of: DictEntity): PluginRoute[] {
  const dicts = dictionariesOf(context, of);
  const areDictionaries = isDictionary(of);
  const nodes = async (where: SQL | undefined) => nodesOf(withVisibleLabels(of, await dicts.list(where), 'dictValue'), 'dictValue');

  return [
    crudRoutes(calls, dicts, { exportWhere: () => areDictionaries }),
    route(calls.parentList, ({ input }) => dicts.page(input, areDictionaries)),
    route(calls.childList, ({ input: { parentId, ...query } }) => dicts.below(String(parentId ?? ''), query)),
    route(calls.tree, ({ input: { code = allDictionariesCode } }) => nodes(code === allDictionariesCode ? undefined : hasCode(of, code))),
    route(calls.parentTree, () => nodes(areDictionaries)),
    route(calls.dictionary, async ({ input: { code, includesArchived } }) => {
      const entries = await dicts.list(selectableEntries(of, code));
      return includesArchived ? [...entries, ...(await archivedEntries(context, of, code))] : entries;
    }),
    route(calls.dictionaryTree, async ({ input }) => treeOf(await dicts.list(selectableEntries(of, input.code)))),
    route(calls.select, () => dicts.list(areDictionaries)),
  ];
}
