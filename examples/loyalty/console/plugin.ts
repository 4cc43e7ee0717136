import { addToScreen, definePlugin, fill, HomePanels, page } from '#kernel';
import { loyaltyMenu } from '../menus.ts';
import { words } from './words.ts';

/** Loyalty: points for people whose work was approved. */
export default definePlugin({
  id: 'loyalty',
  title: words.title,
  needs: ['task'],
  pages: [page(loyaltyMenu, () => import('./LoyaltyPage.tsx'))],
  fills: [
    fill(HomePanels, { title: words.thisMonth, code: loyaltyMenu.code, load: () => import('./PointsPanel.tsx') }),
    addToScreen('tasks', () => import('./task-screen.tsx')),
  ],
});
