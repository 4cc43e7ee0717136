import { CrudPage } from '#kernel';
import { personalLog } from '../contract.ts';
import { personalLogMenu } from '../menus.ts';
import { logMessages } from './messages.ts';

/** Lists who has read or erased personal data. */
export default function PersonalLogPage() {
  return <CrudPage crud={personalLog} title={personalLogMenu.title} empty={{ title: logMessages.noReadings, hint: logMessages.noReadingsHint }} details />;
}
