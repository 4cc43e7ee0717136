import { defineServerPlugin } from '#server';
import { departMenu, resourceAuditMenu } from '../menus.ts';
import { auditFigures } from './audit-figures.ts';
import { serveAudit } from './audit-routes.ts';
import { serveMaterial } from './material-routes.ts';
import { serveResources } from './resource-routes.ts';
import { Resources } from './resources.ts';

/** Department resources: folders and files of departments for their tasks, and the audit of the files. */
export default defineServerPlugin({
  id: 'resource',
  title: ['部门资源', 'Department resources'],
  menus: [departMenu, resourceAuditMenu],

  routes(context) {
    const resources = new Resources(context);
    serveResources(context, resources);
    serveAudit(context, resources);
    serveMaterial(context);
    context.figures.register(auditFigures(context));
  },
});
