import { CrudPage } from '#kernel';
import { param } from '../contract.ts';
import { paramMenu } from '../menus.ts';

/** Finds, adds, changes and deletes system parameters. */
export default function ParamPage() {
  return <CrudPage crud={param} title={paramMenu.title} />;
}
