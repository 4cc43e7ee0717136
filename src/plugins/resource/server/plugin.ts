import { defineServerPlugin } from '#server';
import { departmentResourceMenu, resourceAuditMenu } from '../menus.ts';
import { auditFigures, auditRoutes } from './resource-audit.ts';
import { approvedResources, Resources, resourceRoutes } from './resources.ts';

/** Department resources: folders and files of departments for their tasks, and the audit of the files. */
export default defineServerPlugin({
  id: 'resource',
  title: ['部门资源', 'Department resources'],
  menus: [departmentResourceMenu, resourceAuditMenu],

  setup(context) {
    const resources = new Resources(context);
    return {
      searchSources: [approvedResources(resources)],
      routes: [...resourceRoutes(context, resources), ...auditRoutes(context, resources)],
      figures: [auditFigures(context)],
    };
  },
});
