import { definePlugin, page } from '#kernel';
import { advertiserMenu, categoryMenu, cityMenu, platformMenu, taskGradeMenu } from '../menus.ts';

/** Base data of tasks: advertisers, platforms, categories, grades and cities. */
export default definePlugin({
  id: 'base-data',
  title: ['基础数据', 'Base data'],
  dependencies: ['organization', 'region'],
  pages: [
    page(advertiserMenu, () => import('./AdvertiserPage.tsx')),
    page(platformMenu, () => import('./PlatformPage.tsx')),
    page(categoryMenu, () => import('./CategoryPage.tsx')),
    page(taskGradeMenu, () => import('./TaskGradePage.tsx')),
    page(cityMenu, () => import('./CityPage.tsx')),
  ],
});
