import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const socialAppMenu = menu({
  code: 'social_app',
  title: ['第三方登录', 'Sign-in providers'],
  path: '/system/social_app',
  under: menuGroups.system,
  icon: 'link',
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const registrationMenu = menu({
  code: 'registration',
  title: ['注册审核', 'Registrations'],
  path: '/authority/registration',
  under: menuGroups.authority,
  icon: 'user-group',
  buttons: ['view', { code: 'registration_approve', title: ['通过', 'Approve'] }, { code: 'registration_refuse', title: ['拒绝', 'Reject'] }],
});

export const smsOutboxMenu = menu({
  code: 'sms_outbox',
  title: ['短信发件箱', 'Text message outbox'],
  path: '/monitor/sms_outbox',
  under: menuGroups.monitor,
  icon: 'message',
});
