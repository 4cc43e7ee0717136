import type { LocalizedText } from '#shared/text';

/** Texts of the table of changed rows. */
export const changeMessages = {
  added: ['新增', 'Added'],
  changed: ['修改', 'Changed'],
  removed: ['删除', 'Deleted'],
  field: ['字段', 'Field'],
  before: ['变更前', 'Before'],
  after: ['变更后', 'After'],
  unchanged: ['其余 {count} 个字段未变', 'Unchanged fields: {count}'],
} as const satisfies Record<string, LocalizedText>;

/** Names of sign-in methods by grant type; an unknown grant is shown as the client sent it. */
export const grantMessages: Readonly<Record<string, LocalizedText>> = {
  captcha: ['密码与验证码', 'Password and captcha'],
  password: ['密码', 'Password'],
  totp: ['二次验证', 'Two-step verification'],
  sms_code: ['短信验证码', 'Text message code'],
  social: ['第三方登录', 'Sign-in provider'],
  authorization_code: ['授权码', 'Authorization code'],
  register: ['注册', 'Registration'],
};
