import { definePlugin, page } from '#kernel';
import { auditMenu, recordMenu, taskMenu } from '../menus.ts';

/** Tasks: what is to be done for advertisers, who claims a part of it, and whether the proof of it is good. */
export default definePlugin({
  id: 'task',
  title: ['任务', 'Tasks'],
  needs: ['base-data', 'resource'],
  pages: [page(taskMenu, () => import('./TaskPage.tsx')), page(auditMenu, () => import('./AuditPage.tsx')), page(recordMenu, () => import('./RecordPage.tsx'))],
});
