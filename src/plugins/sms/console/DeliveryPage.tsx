import { CrudPage } from '#kernel';
import { smsDelivery } from '../contract.ts';
import { smsDeliveryMenu } from '../menus.ts';

/** Messages sent. Top task: see whether somebody was sent a code, 1 click beside typing (search). */
export default function DeliveryPage() {
  return <CrudPage crud={smsDelivery} title={smsDeliveryMenu.title} />;
}
