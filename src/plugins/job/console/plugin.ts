import { definePlugin, page } from '#kernel';
import { jobCalendarMenu, jobInfoMenu, jobInstanceMenu, jobServerMenu, jobWorkflowMenu } from '../menus.ts';

/** Scheduled jobs: what is done again and again, by whom, and what has become of it. */
export default definePlugin({
  id: 'job',
  title: ['任务调度', 'Job scheduling'],
  pages: [
    page(jobServerMenu, () => import('./JobServerPage.tsx')),
    page(jobInfoMenu, () => import('./JobInfoPage.tsx')),
    page(jobInstanceMenu, () => import('./JobInstancePage.tsx')),
    page(jobCalendarMenu, () => import('./JobCalendarPage.tsx')),
    page(jobWorkflowMenu, () => import('./JobWorkflowPage.tsx')),
  ],
});
