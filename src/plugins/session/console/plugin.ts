import { definePlugin, page } from '#kernel';
import { onlineMenu } from '../menus.ts';

/** Online users: the tenant's sessions, which administrators can end. */
export default definePlugin({
  id: 'session',
  title: ['在线用户', 'Online users'],
  pages: [page(onlineMenu, () => import('./OnlinePage.tsx'))],
});
