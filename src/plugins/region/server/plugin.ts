import { defineServerPlugin } from '#server';
import { regionMenu } from '../menus.ts';
import { Regions, regionRoutes } from './regions.ts';
import { seedRegions } from './seed-regions.ts';

/** Regions: the administrative divisions of the country, selected in addresses. */
export default defineServerPlugin({
  id: 'region',
  title: ['行政区划', 'Regions'],
  menus: [regionMenu],
  seed: seedRegions,
  setup: ({ db }) => ({ routes: regionRoutes(db, new Regions(db)) }),
});
