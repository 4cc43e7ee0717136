import { defineServerPlugin } from '#server';
import { regionMenu } from '../menus.ts';
import { regionRoutes } from './region-routes.ts';
import { Regions } from './regions.ts';
import { seedRegions } from './seed-regions.ts';

/** Regions: the administrative divisions of the country, selected in addresses. */
export default defineServerPlugin({
  id: 'region',
  title: ['行政区划', 'Regions'],
  menus: [regionMenu],
  seed: seedRegions,
  setup: ({ db }) => ({ routes: regionRoutes(new Regions(db)) }),
});
