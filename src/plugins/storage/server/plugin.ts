import { defineServerPlugin } from '#server';
import { attachMenu, ossMenu } from '../menus.ts';
import { serveAttachments } from './attachments.ts';
import { enablingStep } from './enabling-step.ts';
import { addOrphanSweep } from './orphans.ts';
import { serveOss } from './serve-oss.ts';

/** Object storage: file stores of a tenant, and uploaded files. */
export default defineServerPlugin({
  id: 'storage',
  title: ['对象存储', 'Object storage'],
  dependencies: ['dictionary'],
  menus: [ossMenu, attachMenu],

  routes(context) {
    serveOss(context);
    serveAttachments(context);
    addOrphanSweep(context);
    context.figures.register(enablingStep(context));
  },
});
