import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const tenantPackageMenu = menu({
  code: 'tenant_package',
  title: ['租户产品包', 'Tenant packages'],
  path: '/system/tenant_package',
  under: menuGroups.system,
  icon: 'apps',
  sort: 8,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const tenantMenu = menu({
  code: 'tenant',
  title: ['租户管理', 'Tenants'],
  path: '/system/tenant',
  under: menuGroups.system,
  icon: 'storage',
  sort: 7,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', showButton('tenant_personal')],
});
