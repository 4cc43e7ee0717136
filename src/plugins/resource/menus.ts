import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

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
  title: ['资源审核', 'Resource audit'],
  path: '/resource/audit',
  under: 'resource',
  icon: 'check-square',
  sort: 7,
});
