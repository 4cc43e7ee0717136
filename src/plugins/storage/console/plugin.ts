import { definePlugin, page } from '#kernel';
import { attachMenu, ossMenu } from '../menus.ts';

/** Object storage: file stores of a tenant, and uploaded files. */
export default definePlugin({
  id: 'storage',
  title: ['对象存储', 'Object storage'],
  pages: [page(ossMenu, () => import('./OssPage.tsx')), page(attachMenu, () => import('./AttachPage.tsx'))],
});
