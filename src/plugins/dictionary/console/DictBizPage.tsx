import { dictBiz } from '../contract.ts';
import { dictBizMenu } from '../menus.ts';
import { DictScreen } from './DictScreen.tsx';

/** Lists the business dictionaries of the tenant. */
export default function DictBizPage() {
  return <DictScreen calls={dictBiz} title={dictBizMenu.title} />;
}
