import { definePlugin, page } from '#kernel';
import { onlineMenu } from '../menus.ts';

/** Online users: who of the tenant is signed in, and whose session an administrator ends. */
export default definePlugin({
  id: 'session',
  title: ['在线用户', 'Online users'],
  pages: [page(onlineMenu, () => import('./OnlinePage.tsx'))],
});
