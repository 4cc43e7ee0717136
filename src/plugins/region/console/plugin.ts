import { definePlugin, page } from '#kernel';
import { regionMenu } from '../menus.ts';

/** Regions: the administrative divisions of the country, selected in addresses. */
export default definePlugin({
  id: 'region',
  title: ['行政区划', 'Regions'],
  pages: [page(regionMenu, () => import('./RegionPage.tsx'))],
});
