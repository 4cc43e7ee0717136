import { definePlugin, page } from '#kernel';
import { datasourceMenu } from '../menus.ts';

/** The code generator: databases that are described elsewhere become plugins of this system. */
export default definePlugin({
  id: 'codegen',
  title: ['代码生成', 'Code generator'],
  pages: [page(datasourceMenu, () => import('./DatasourcePage.tsx'))],
});
