import { dict } from '../contract.ts';
import { dictMenu } from '../menus.ts';
import { DictScreen } from './DictScreen.tsx';

/** Lists the system dictionaries. */
export default function DictPage() {
  return <DictScreen calls={dict} title={dictMenu.title} />;
}
