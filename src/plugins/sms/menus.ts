import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const smsMenu = menu({
  code: 'sms',
  title: ['短信配置', 'Text messages'],
  path: '/resource/sms',
  under: 'resource',
  icon: 'message',
  sort: 3,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    'export',
    'import',
    { code: 'sms_enable', title: ['启用停用', 'Turn on and off'] },
    { code: 'sms_debug', title: ['调试', 'Try out'] },
    { code: 'sms_validate', title: ['验证手机号', 'Prove phones'] },
  ],
});

export const smsTemplateMenu = menu({
  code: 'sms_template',
  title: ['短信模板', 'Message templates'],
  path: '/resource/smstemplate',
  under: 'resource',
  icon: 'file',
  sort: 4,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const smsDeliveryMenu = menu({
  code: 'sms_delivery',
  title: ['短信发送记录', 'Messages sent'],
  path: '/resource/smsdelivery',
  under: 'resource',
  icon: 'history',
  sort: 5,
});
