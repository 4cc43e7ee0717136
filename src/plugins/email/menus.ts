import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const emailMenu = menu({
  code: 'email',
  title: ['邮件配置', 'E-mail'],
  path: '/resource/email',
  under: menuGroups.resource,
  icon: 'email',
  sort: 8,
  buttons: ['edit', { code: 'email_test', title: ['发送测试邮件', 'Send test e-mails'] }],
});

export const emailTemplateMenu = menu({
  code: 'email_template',
  title: ['邮件模板', 'E-mail templates'],
  path: '/resource/emailtemplate',
  under: menuGroups.resource,
  icon: 'file',
  sort: 9,
});

export const emailMessageMenu = menu({
  code: 'email_message',
  title: ['邮件发送记录', 'E-mail log'],
  path: '/resource/emailmessage',
  under: menuGroups.resource,
  icon: 'history',
  sort: 10,
  buttons: [
    { code: 'email_message_retry', title: ['重新发送', 'Send again'] },
    { code: 'email_message_address', title: ['查看完整邮箱', 'See full addresses'] },
  ],
});
