import { definePlugin, page } from '#kernel';
import { deptMenu, postMenu, userMenu } from '../menus.ts';

/** Organization: departments, positions and users. */
export default definePlugin({
  id: 'organization',
  title: ['组织管理', 'Organization'],
  pages: [page(userMenu, () => import('./UserPage.tsx')), page(deptMenu, () => import('./DeptPage.tsx')), page(postMenu, () => import('./PostPage.tsx'))],
});
