import type { SQL } from 'drizzle-orm';
import { crudRoutes, namedAsSeen, nodesOf, type PluginRoute, route, type ServerContext, treeOf } from '#server';
import type { DictCalls, DictEntity } from '../contract.ts';
import { choicesOf, dictionariesOf, isHead, ofCode } from './dictionaries.ts';

/** Code BladeX-compatible clients send to request all dictionaries. */
const everyCode = 'DICT';

/** Serves the calls of system or business dictionaries. */
export function dictRoutes(context: ServerContext, calls: DictCalls, of: DictEntity): PluginRoute[] {
  const dicts = dictionariesOf(context, of);
  const heads = isHead(of);
  const picked = async (where: SQL | undefined) => nodesOf(namedAsSeen(of, await dicts.list(where), 'dictValue'), 'dictValue');

  return [
    crudRoutes(calls, dicts, { exported: () => heads }),
    route(calls.parentList, ({ input }) => dicts.page(input, heads)),
    route(calls.childList, ({ input: { parentId, ...asked } }) => dicts.below(String(parentId ?? ''), asked)),
    route(calls.tree, ({ input: { code = everyCode } }) => picked(code === everyCode ? undefined : ofCode(of, code))),
    route(calls.parentTree, () => picked(heads)),
    route(calls.dictionary, ({ input }) => dicts.list(choicesOf(of, input.code))),
    route(calls.dictionaryTree, async ({ input }) => treeOf(await dicts.list(choicesOf(of, input.code)))),
    route(calls.select, () => dicts.list(heads)),
  ];
}
