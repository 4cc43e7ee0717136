import { dict } from '../contract.ts';
import { dictMenu } from '../menus.ts';
import { DictScreen } from './DictScreen.tsx';

export default function DictPage() {
  return <DictScreen calls={dict} title={dictMenu.title} />;
}
