import { defineServerPlugin, nodesOf, treeOf } from '#server';
import { dict, dictMenu } from '../contract.ts';
import { choicesOf, dictionariesOf, isHead, ofCode } from './dictionaries.ts';
import { seedDicts } from './seed.ts';

/** What the family's clients send as `code` when they want every dictionary. */
const everyCode = 'DICT';

/** System dictionaries: the values a deployment may choose from, under the codes that ask for them. */
export default defineServerPlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],
  menus: [dictMenu],
  seed: seedDicts,

  routes({ serve, serveCrud, db, emit }) {
    const dicts = dictionariesOf({ db, emit });

    serveCrud(dict, dicts);
    serve(dict.parentList, ({ input }) => dicts.page(input, isHead));
    serve(dict.childList, ({ input }) => dicts.below(input.parentId ?? ''));
    serve(dict.tree, async ({ input: { code = everyCode } }) => nodesOf(await dicts.list(code === everyCode ? undefined : ofCode(code)), 'dictValue'));
    serve(dict.parentTree, async () => nodesOf(await dicts.list(isHead), 'dictValue'));
    serve(dict.dictionary, ({ input }) => dicts.list(choicesOf(input.code)));
    serve(dict.dictionaryTree, async ({ input }) => treeOf(await dicts.list(choicesOf(input.code))));
    serve(dict.select, () => dicts.list(isHead));
  },
});
