import { definePlugin, page } from '#kernel';
import { codeMenu, datasourceMenu, modelMenu } from '../menus.ts';

/** Code generator: creates plugins of this system from the tables of existing databases. */
export default definePlugin({
  id: 'codegen',
  title: ['代码生成', 'Code generator'],
  pages: [
    page(codeMenu, () => import('./CodePage.tsx')),
    page(modelMenu, () => import('./ModelPage.tsx')),
    page(datasourceMenu, () => import('./DatasourcePage.tsx')),
  ],
});
