import { defineServerPlugin } from '#server';
import { tenantParameters } from '../contract.ts';
import { tenantMenu, tenantPackageMenu } from '../menus.ts';
import { servePackages } from './packages.ts';
import { addPurge } from './purge.ts';
import { serveTenants } from './tenants.ts';

/** Tenants: the organizations that share the deployment, with their quota of accounts, expiry and allowed menus. */
export default defineServerPlugin({
  id: 'tenant',
  title: ['租户管理', 'Tenants'],
  parameterDeclarations: tenantParameters,
  dependencies: ['organization'],
  optionalDependencies: ['dictionary'],
  menus: [tenantMenu, tenantPackageMenu],

  routes(context) {
    serveTenants(context);
    servePackages(context);
    addPurge(context);
  },
});
