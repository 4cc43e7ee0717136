import { addToScreen, definePlugin, page } from '#kernel';
import { auditMenu, recordMenu, taskMenu } from '../menus.ts';

/** Tasks: work for advertisers, claims of members, and the audit of submitted proof. */
export default definePlugin({
  id: 'task',
  title: ['任务', 'Tasks'],
  dependencies: ['base-data', 'resource'],
  contributions: [addToScreen('advertiser', () => import('./advertiser-screen.ts'))],
  pages: [page(taskMenu, () => import('./TaskPage.tsx')), page(auditMenu, () => import('./AuditPage.tsx')), page(recordMenu, () => import('./RecordPage.tsx'))],
});
