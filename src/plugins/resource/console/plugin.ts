import { definePlugin, page } from '#kernel';
import { departmentResourceMenu, resourceAuditMenu } from '../menus.ts';

/** Department resources: folders and files of departments for their tasks, and the audit of the files. */
export default definePlugin({
  id: 'resource',
  title: ['部门资源', 'Department resources'],
  pages: [page(departmentResourceMenu, () => import('./ResourcePage.tsx')), page(resourceAuditMenu, () => import('./ResourceAuditPage.tsx'))],
});
