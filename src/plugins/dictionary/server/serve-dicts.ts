import type { SQL } from 'drizzle-orm';
import { namedAsSeen, nodesOf, type ServerContext, treeOf } from '#server';
import type { DictCalls, DictEntity } from '../contract.ts';
import { choicesOf, dictionariesOf, isHead, ofCode } from './dictionaries.ts';

/** Code BladeX-compatible clients send to request all dictionaries. */
const everyCode = 'DICT';

/** Serves the calls of system or business dictionaries. */
export function serveDicts(context: ServerContext, calls: DictCalls, of: DictEntity): void {
  const { serve, serveCrud } = context;
  const dicts = dictionariesOf(context, of);
  const heads = isHead(of);
  const picked = async (where: SQL | undefined) => nodesOf(namedAsSeen(of, await dicts.list(where), 'dictValue'), 'dictValue');

  serveCrud(calls, dicts, { exported: () => heads });
  serve(calls.parentList, ({ input }) => dicts.page(input, heads));
  serve(calls.childList, ({ input: { parentId, ...asked } }) => dicts.below(String(parentId ?? ''), asked));
  serve(calls.tree, ({ input: { code = everyCode } }) => picked(code === everyCode ? undefined : ofCode(of, code)));
  serve(calls.parentTree, () => picked(heads));
  serve(calls.dictionary, ({ input }) => dicts.list(choicesOf(of, input.code)));
  serve(calls.dictionaryTree, async ({ input }) => treeOf(await dicts.list(choicesOf(of, input.code))));
  serve(calls.select, () => dicts.list(heads));
}
