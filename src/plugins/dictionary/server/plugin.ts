import { defineServerPlugin } from '#server';
import { dict, dictMenu } from '../contract.ts';
import { Dictionaries } from './dictionaries.ts';
import { seedDicts } from './seed.ts';

/** System dictionaries: the values a deployment may choose from, under the codes that ask for them. */
export default defineServerPlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],
  menus: [dictMenu],
  seed: seedDicts,

  routes({ serve, db }) {
    const dictionaries = new Dictionaries(db);

    serve(dict.list, () => dictionaries.tree());
    serve(dict.parentList, ({ input }) => dictionaries.page(input));
    serve(dict.childList, ({ input }) => dictionaries.below(input.parentId));
    serve(dict.detail, ({ input }) => dictionaries.detail(input.id));
    serve(dict.submit, ({ input }) => dictionaries.save(input));
    serve(dict.remove, ({ input }) => dictionaries.remove(input.ids));
    serve(dict.tree, ({ input }) => dictionaries.nodes(input.code));
    serve(dict.dictionary, ({ input }) => dictionaries.values(input.code));
    serve(dict.select, () => dictionaries.heads());
  },
});
