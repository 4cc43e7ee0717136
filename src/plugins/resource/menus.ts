import { menu } from '#shared/menu-entry';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

export const departMenu = menu({
  code: 'depart_resource',
  title: ['部门资源', 'Department resources'],
  path: '/resource/depart',
  under: 'resource',
  icon: 'folder',
  sort: 6,
  buttons: ['add', 'edit', 'delete', 'view'],
});

export const resourceAuditMenu = menu({
  code: 'depart_resource_audit',
  title: ['资源审核', 'Resource review'],
  path: '/resource/audit',
  under: 'resource',
  icon: 'check-square',
  sort: 7,
});
