import { definePlugin, page } from '#kernel';
import { paramMenu } from '../contract.ts';

/** System parameters: what the platform is set to. */
export default definePlugin({
  id: 'settings',
  title: ['系统设置', 'Settings'],
  pages: [page(paramMenu, () => import('./ParamPage.tsx'))],
});
