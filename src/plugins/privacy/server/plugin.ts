import { defineServerPlugin } from '#server';
import { personMenu } from '../menus.ts';
import { personRoutes } from './person-routes.ts';
import { retentionJob } from './retention-job.ts';

/** Personal data: finds, exports and erases everything about one person across all plugins, and erases what is outdated. */
export default defineServerPlugin({
  id: 'privacy',
  title: ['个人数据', 'Personal data'],
  menus: [personMenu],
  setup: (context) => ({ routes: personRoutes(context), processors: { 'privacy:retention': retentionJob(context) } }),
});
