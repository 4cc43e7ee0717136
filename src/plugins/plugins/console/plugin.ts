import { definePlugin, page } from '#kernel';
import { pluginsMenu } from '../menus.ts';

/** The plugins of the deployment: which there are, what each is for, and switching them off and on while everything runs. */
export default definePlugin({
  id: 'plugins',
  title: ['插件管理', 'Plugins'],
  core: true,
  pages: [page(pluginsMenu, () => import('./PluginsPage.tsx'))],
});
