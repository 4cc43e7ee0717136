import { definePlugin, page } from '#kernel';
import { dictMenu } from '../contract.ts';

/** System dictionaries: what may be chosen where a form asks for one of a few. */
export default definePlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],
  pages: [page(dictMenu, () => import('./DictPage.tsx'))],
});
