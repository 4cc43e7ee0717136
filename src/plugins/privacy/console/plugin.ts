import { definePlugin, page } from '#kernel';
import { personMenu } from '../menus.ts';

/** Personal data: finds, exports and erases everything about one person across all plugins. */
export default definePlugin({
  id: 'privacy',
  title: ['个人数据', 'Personal data'],
  pages: [page(personMenu, () => import('./PersonPage.tsx'))],
});
