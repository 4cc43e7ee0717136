import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const smsOutboxMenu = menu({
  code: 'sms_outbox',
  title: ['短信发件箱', 'Text message outbox'],
  path: '/monitor/sms_outbox',
  under: menuGroups.monitor,
  icon: 'message',
  buttons: [showButton('sms_outbox_personal')],
});
