import { CrudPage } from '#kernel';
import { tenantPackage } from '../contract.ts';
import { tenantPackageMenu } from '../menus.ts';
import { nouns } from './messages.ts';

/** Lists tenant packages and the menus each of them allows. */
export default function PackagePage() {
  return <CrudPage crud={tenantPackage} title={tenantPackageMenu.title} noun={nouns.package} formWidth={860} />;
}
