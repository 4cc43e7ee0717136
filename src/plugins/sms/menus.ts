import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const smsMenu = menu({
  code: 'sms',
  title: ['短信配置', 'Text messages'],
  path: '/resource/sms',
  under: menuGroups.resource,
  icon: 'message',
  sort: 3,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    'export',
    'import',
    { code: 'sms_enable', title: ['启用停用', 'Enable and disable'] },
    { code: 'sms_debug', title: ['调试', 'Send test'] },
    { code: 'sms_validate', title: ['验证手机号', 'Verify phone numbers'] },
  ],
});

export const smsTemplateMenu = menu({
  code: 'sms_template',
  title: ['短信模板', 'Message templates'],
  path: '/resource/smstemplate',
  under: menuGroups.resource,
  icon: 'file',
  sort: 4,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const smsDeliveryMenu = menu({
  code: 'sms_delivery',
  title: ['短信发送记录', 'Message log'],
  path: '/resource/smsdelivery',
  under: menuGroups.resource,
  icon: 'history',
  sort: 5,
  buttons: [showButton('sms_delivery_personal')],
});
