import { definePlugin, page } from '#kernel';
import { consoleMenu, homeMenu } from '../menus.ts';

/** The first page: what waits for whoever reads it, and how the business goes, in the figures other plugins give. */
export default definePlugin({
  id: 'dashboard',
  title: ['首页', 'Dashboard'],
  pages: [page(homeMenu, () => import('./HomePage.tsx')), page(consoleMenu, () => import('./ConsolePage.tsx'))],
});
