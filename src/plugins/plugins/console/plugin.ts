import { definePlugin, page } from '#kernel';
import { pluginsMenu } from '../menus.ts';

/** Plugins: lists the plugins of the deployment, and enables and disables them at run time. */
export default definePlugin({
  id: 'plugins',
  title: ['插件管理', 'Plugins'],
  core: true,
  pages: [page(pluginsMenu, () => import('./PluginsPage.tsx'))],
});
