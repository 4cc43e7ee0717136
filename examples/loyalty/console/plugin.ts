import { addToScreen, contribute, definePlugin, HomePanels, page } from '#kernel';
import { loyaltyMenu } from '../menus.ts';
import { words } from './messages.ts';

/** Loyalty: points for people whose work was approved. */
export default definePlugin({
  id: 'loyalty',
  title: words.title,
  dependencies: ['task'],
  pages: [page(loyaltyMenu, () => import('./LoyaltyPage.tsx'))],
  contributions: [
    contribute(HomePanels, { title: words.thisMonth, code: loyaltyMenu.code, load: () => import('./PointsPanel.tsx') }),
    addToScreen('tasks', () => import('./task-screen.tsx')),
  ],
});
