import { defineServerPlugin } from '#server';
import { tenantMenu, tenantPackageMenu } from '../menus.ts';
import { servePackages } from './packages.ts';
import { addPurge } from './purge.ts';
import { serveTenants } from './tenants.ts';

/** Tenants: who shares the deployment, how many accounts they have until when, and which menus. */
export default defineServerPlugin({
  id: 'tenant',
  title: ['租户管理', 'Tenants'],
  needs: ['organization'],
  menus: [tenantMenu, tenantPackageMenu],

  routes(context) {
    serveTenants(context);
    servePackages(context);
    addPurge(context);
  },
});
