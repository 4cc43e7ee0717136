import { definePlugin, page } from '#kernel';
import { healthMenu } from '../menus.ts';

/** Health screen: the state of the whole deployment on one page, for administrators of the platform. */
export default definePlugin({
  id: 'health',
  title: ['运行状况', 'Health screen'],
  pages: [page(healthMenu, () => import('./HealthPage.tsx'))],
});
