import { definePlugin, page } from '#kernel';
import { advertiserMenu, categoryMenu, cityMenu, platformMenu, taskGradeMenu } from '../menus.ts';

/** What tasks are made of: who pays, where it is published, what kind of work, how demanding, and in which cities. */
export default definePlugin({
  id: 'base-data',
  title: ['基础数据', 'Base data'],
  needs: ['organization', 'region'],
  pages: [
    page(advertiserMenu, () => import('./AdvertiserPage.tsx')),
    page(platformMenu, () => import('./PlatformPage.tsx')),
    page(categoryMenu, () => import('./CategoryPage.tsx')),
    page(taskGradeMenu, () => import('./TaskGradePage.tsx')),
    page(cityMenu, () => import('./CityPage.tsx')),
  ],
});
