import { definePlugin, page } from '#kernel';
import { codeMenu, datasourceMenu, modelMenu } from '../menus.ts';

/** The code generator: databases that are described elsewhere become plugins of this system. */
export default definePlugin({
  id: 'codegen',
  title: ['代码生成', 'Code generator'],
  pages: [
    page(codeMenu, () => import('./CodePage.tsx')),
    page(modelMenu, () => import('./ModelPage.tsx')),
    page(datasourceMenu, () => import('./DatasourcePage.tsx')),
  ],
});
