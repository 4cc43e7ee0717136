import { CrudPage } from '#kernel';
import { loyalty } from '../contract.ts';
import { loyaltyMenu } from '../menus.ts';

/** Who was given points, for what. */
export default function LoyaltyPage() {
  return <CrudPage crud={loyalty} title={loyaltyMenu.title} fields={['memberName', 'taskTitle', 'points', 'createTime']} />;
}
