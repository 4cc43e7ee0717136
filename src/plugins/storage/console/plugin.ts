import { definePlugin, page } from '#kernel';
import { attachMenu, ossMenu } from '../menus.ts';

/** Where files are kept, and what has been uploaded. */
export default definePlugin({
  id: 'storage',
  title: ['对象存储', 'Object storage'],
  pages: [page(ossMenu, () => import('./OssPage.tsx')), page(attachMenu, () => import('./AttachPage.tsx'))],
});
