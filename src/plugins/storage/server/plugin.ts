import { defineServerPlugin } from '#server';
import { attachMenu, ossMenu } from '../menus.ts';
import { attachmentRoutes } from './attachments.ts';
import { ConfiguredStores } from './configured-stores.ts';
import { orphanSweep } from './orphans.ts';
import { configurationsOf, enablingStep, ossRoutes, storedFiles } from './oss-routes.ts';

/** Object storage: file stores of a tenant, and uploaded files. */
export default defineServerPlugin({
  id: 'storage',
  title: ['对象存储', 'Object storage'],
  dependencies: ['dictionary'],
  menus: [ossMenu, attachMenu],

  setup(context) {
    const configurations = configurationsOf(context);
    const fileStores = new ConfiguredStores(context, configurations);

    return {
      routes: [...ossRoutes(context, configurations, fileStores), ...attachmentRoutes(context)],
      fileStores,
      references: [storedFiles(context)],
      processors: { 'storage:sweep-orphans': orphanSweep(context) },
      figures: [enablingStep(context)],
    };
  },
});
