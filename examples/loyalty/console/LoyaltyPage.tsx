import { CrudPage } from '#kernel';
import { loyalty } from '../contract.ts';
import { loyaltyMenu } from '../menus.ts';
import { words } from './messages.ts';

/** List of awarded points, with the member and the task of each. */
export default function LoyaltyPage() {
  return (
    <CrudPage
      crud={loyalty}
      title={loyaltyMenu.title}
      empty={{ title: words.noAwards, hint: words.noAwardsHint }}
      fields={['memberName', 'taskTitle', 'points', 'createTime']}
    />
  );
}
