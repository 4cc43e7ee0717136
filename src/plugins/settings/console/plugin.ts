import { definePlugin, page, records } from '#kernel';
import { clientMenu, paramMenu } from '../menus.ts';

/** System parameters: what the platform is set to. */
export default definePlugin({
  id: 'settings',
  title: ['系统设置', 'Settings'],
  pages: [page(paramMenu, () => import('./ParamPage.tsx')), page(clientMenu, () => import('./ClientPage.tsx'))],
  search: [records(paramMenu, () => import('./find-params.ts'))],
});
