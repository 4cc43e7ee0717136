import { addToScreen, contribute, definePlugin, ListToolbarItems, page } from '#kernel';
import { jobCalendarMenu, jobHomeMenu, jobInfoMenu, jobInstanceMenu, jobServerMenu, jobWorkflowMenu } from '../menus.ts';
import { RunToolbar } from './RunToolbar.tsx';

/** Scheduled jobs: schedules, workers, workflows and the results of runs. */
export default definePlugin({
  id: 'job',
  title: ['定时作业', 'Scheduled jobs'],
  contributions: [addToScreen(jobInfoMenu.code, () => import('./job-screen.tsx')), contribute(ListToolbarItems, { Item: RunToolbar })],
  pages: [
    page(jobHomeMenu, () => import('./JobHomePage.tsx')),
    page(jobServerMenu, () => import('./JobServerPage.tsx')),
    page(jobInfoMenu, () => import('./JobInfoPage.tsx')),
    page(jobInstanceMenu, () => import('./JobInstancePage.tsx')),
    page(jobCalendarMenu, () => import('./JobCalendarPage.tsx')),
    page(jobWorkflowMenu, () => import('./JobWorkflowPage.tsx')),
  ],
});
