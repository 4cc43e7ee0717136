import { definePlugin, page } from '#kernel';
import { jobCalendarMenu, jobInfoMenu, jobInstanceMenu, jobServerMenu, jobWorkflowMenu } from '../menus.ts';

/** Scheduled jobs: schedules, workers, workflows and the results of runs. */
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
