import { defineServerPlugin } from '#server';
import { apiLogMenu, errorLogMenu, loginLogMenu, personalLogMenu, usualLogMenu } from '../menus.ts';
import { evidenceCheck, evidenceMail } from './evidence-job.ts';
import { logRoutes } from './log-routes.ts';

/** Logs: calls, errors, sign-ins and system messages, for administrators. */
export default defineServerPlugin({
  id: 'log',
  title: ['日志', 'Logs'],
  menus: [usualLogMenu, apiLogMenu, errorLogMenu, loginLogMenu, personalLogMenu],
  mailKinds: [evidenceMail],
  setup: (context) => ({ routes: logRoutes(context), processors: { 'log:verify-evidence': evidenceCheck(context) } }),
});
