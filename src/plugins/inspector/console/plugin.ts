import { definePlugin, route } from '#kernel';
import { inspectorRoute } from '../menus.ts';

/** Inspector: shows administrators plugins, contributions, events and stores of the running console. */
export default definePlugin({
  id: 'inspector',
  title: ['内核检查器', 'Kernel inspector'],
  core: true,
  pages: [route(inspectorRoute, () => import('./InspectorPage.tsx'))],
});
