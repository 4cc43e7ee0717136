import { defineServerPlugin } from '#server';
import { personMenu } from '../menus.ts';
import { personRoutes } from './person-routes.ts';

/** Personal data: finds, exports and erases everything about one person across all plugins. */
export default defineServerPlugin({
  id: 'privacy',
  title: ['个人数据', 'Personal data'],
  menus: [personMenu],
  setup: (context) => ({ routes: personRoutes(context) }),
});
