import { CrudPage } from '#kernel';
import { tenantPackage } from '../contract.ts';
import { tenantPackageMenu } from '../menus.ts';

/** Packages: which menus the tenants that have one may have. */
export default function PackagePage() {
  return <CrudPage crud={tenantPackage} title={tenantPackageMenu.title} formWidth={860} />;
}
