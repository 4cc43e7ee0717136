import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const departmentResourceMenu = menu({
  code: 'depart_resource',
  title: ['部门资源', 'Department resources'],
  path: '/resource/depart',
  under: menuGroups.resource,
  icon: 'folder',
  sort: 6,
  buttons: ['add', 'edit', 'delete', 'view'],
});

export const resourceAuditMenu = menu({
  code: 'depart_resource_audit',
  title: ['资源审核', 'Resource review'],
  path: '/resource/audit',
  under: menuGroups.resource,
  icon: 'check-square',
  sort: 7,
});
