import { CrudPage } from '#kernel';
import { paramMenu } from '../menus.ts';
import { param } from '../param-contract.ts';
import { nouns } from './nouns.ts';

/** Lists system parameters. */
export default function ParamPage() {
  return <CrudPage crud={param} title={paramMenu.title} noun={nouns.param} />;
}
