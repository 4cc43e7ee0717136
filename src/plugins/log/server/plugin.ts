import { defineServerPlugin } from '#server';
import { apiLogMenu, errorLogMenu, loginLogMenu, usualLogMenu } from '../menus.ts';
import { logRoutes } from './log-routes.ts';

/** Logs: calls, errors, sign-ins and system messages, for administrators. */
export default defineServerPlugin({
  id: 'log',
  title: ['日志', 'Logs'],
  menus: [usualLogMenu, apiLogMenu, errorLogMenu, loginLogMenu],
  setup: (context) => ({ routes: logRoutes(context) }),
});
