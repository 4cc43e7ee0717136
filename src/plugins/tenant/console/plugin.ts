import { definePlugin, page } from '#kernel';
import { tenantMenu, tenantPackageMenu } from '../menus.ts';

/** Tenants: the organizations that share the deployment, with their packages and quotas. */
export default definePlugin({
  id: 'tenant',
  title: ['租户管理', 'Tenants'],
  pages: [page(tenantMenu, () => import('./TenantPage.tsx')), page(tenantPackageMenu, () => import('./PackagePage.tsx'))],
});
