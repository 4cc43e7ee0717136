import { Deployment, defineServerPlugin, platformTenant } from '#server';
import { attachMenu, ossMenu } from '../menus.ts';
import { attachmentRoutes } from './attachments.ts';
import { ConfiguredStores } from './configured-stores.ts';
import { orphanSweep } from './orphans.ts';
import { bucketHealth, configurationsOf, enablingStep, ossRoutes, probe, storedFiles } from './oss-routes.ts';

/** Object storage: file stores of a tenant, and uploaded files. */
export default defineServerPlugin({
  id: 'storage',
  title: ['对象存储', 'Object storage'],
  dependencies: ['dictionary'],
  menus: [ossMenu, attachMenu],

  setup(context) {
    const configurations = configurationsOf(context);
    const fileStores = new ConfiguredStores(context, configurations, context.get(Deployment).filesBucket);

    return {
      routes: [...ossRoutes(context, configurations, fileStores), ...attachmentRoutes(context)],
      fileStores,
      references: [storedFiles(context)],
      processors: { 'storage:sweep-orphans': orphanSweep(context) },
      figures: [enablingStep(context)],
      health: [bucketHealth(() => fileStores.openBucket(platformTenant))],
      /** Tells operators at once if the deployment's bucket refuses files, before users learn it from their uploads. */
      async ready() {
        const bucket = await fileStores.openBucket(platformTenant);
        if (!bucket) return;
        void probe(async () => bucket).then(({ reason }) => {
          if (reason) context.systemLog.log({ level: 'error', event: 'storage:bucket-unavailable', data: { reason: reason[1] } });
        });
      },
    };
  },
});
