import { CrudPage } from '#kernel';
import { smsOutbox } from '../contract.ts';
import { smsOutboxMenu } from '../menus.ts';

/** Text messages that were kept instead of being sent. */
export default function SmsOutboxPage() {
  return <CrudPage crud={smsOutbox} title={smsOutboxMenu.title} />;
}
