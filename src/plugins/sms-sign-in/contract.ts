import { entity, list } from '#shared/contract';
import { Id, Text } from '#shared/fields';

/** Text message that was stored instead of sent. */
export const SmsOutboxMessage = entity('sms_outbox', {
  id: Id(),
  phone: Text({ title: ['手机号', 'Phone'], maxLength: 32, search: true, personal: 'phone' }),
  content: Text({ title: ['内容', 'Content'], maxLength: 500 }),
});

const outboxCode = { code: 'sms_outbox' };

/** Messages stored while the deployment sends none. */
export const smsOutbox = {
  entity: SmsOutboxMessage,
  menu: outboxCode.code,
  list: list('/api/blade-system/sms-outbox/list', SmsOutboxMessage, outboxCode, ['短信发件箱', 'Text message outbox']),
};
