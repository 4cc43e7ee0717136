import { definePlugin, page } from '#kernel';
import { tenantMenu, tenantPackageMenu } from '../menus.ts';

/** Tenants: who shares the deployment, and what they may have. */
export default definePlugin({
  id: 'tenant',
  title: ['租户管理', 'Tenants'],
  pages: [page(tenantMenu, () => import('./TenantPage.tsx')), page(tenantPackageMenu, () => import('./PackagePage.tsx'))],
});
