import { CrudPage } from '#kernel';
import { param, paramMenu } from '../contract.ts';

/** Finds, adds, changes and deletes system parameters. */
export default function ParamPage() {
  return <CrudPage crud={param} title={paramMenu.title} />;
}
