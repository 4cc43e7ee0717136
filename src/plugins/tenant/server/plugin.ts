import { defineServerPlugin } from '#server';
import { tenantMenu, tenantPackageMenu } from '../menus.ts';
import { tenantParameters } from '../parameter-contract.ts';
import { packageRoutes } from './packages.ts';
import { personalData } from './personal-data.ts';
import { tenantPurge } from './purge.ts';
import { tenantRoutes } from './tenants.ts';

/** Tenants: the organizations that share the deployment, with their quota of accounts, expiry and allowed menus. */
export default defineServerPlugin({
  id: 'tenant',
  title: ['租户管理', 'Tenants'],
  parameters: tenantParameters,
  dependencies: ['organization'],
  optionalDependencies: ['dictionary'],
  personalData,
  menus: [tenantMenu, tenantPackageMenu],

  setup(context) {
    return {
      routes: [...tenantRoutes(context), ...packageRoutes(context)],
      processors: { 'tenant:purge': tenantPurge(context) },
    };
  },
});
