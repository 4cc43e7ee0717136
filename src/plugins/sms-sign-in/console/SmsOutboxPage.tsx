import { CrudPage } from '#kernel';
import { smsOutbox } from '../contract.ts';
import { smsOutboxMenu } from '../menus.ts';
import { smsSignInMessages } from './messages.ts';

/** Lists text messages that were stored instead of sent. */
export default function SmsOutboxPage() {
  return <CrudPage crud={smsOutbox} title={smsOutboxMenu.title} empty={{ title: smsSignInMessages.noMessages, hint: smsSignInMessages.noMessagesHint }} />;
}
