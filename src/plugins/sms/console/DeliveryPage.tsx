import { CrudPage } from '#kernel';
import { smsDelivery } from '../contract.ts';
import { smsDeliveryMenu } from '../menus.ts';
import { smsMessages } from './messages.ts';

/** Lists sent messages. Top task: check whether a code was sent to a phone, 1 click besides typing (search). */
export default function DeliveryPage() {
  return <CrudPage crud={smsDelivery} title={smsDeliveryMenu.title} empty={{ title: smsMessages.noDeliveries, hint: smsMessages.noDeliveriesHint }} />;
}
