import type { Words } from '#shared/text';

/** What the console says of the rows a write has touched. */
export const changeWords = {
  added: ['新增', 'Added'],
  changed: ['修改', 'Changed'],
  removed: ['删除', 'Deleted'],
  field: ['字段', 'Field'],
  before: ['变更前', 'Before'],
  after: ['变更后', 'After'],
  untouched: ['其余 {count} 个字段未变', '{count} other fields did not change'],
} as const satisfies Record<string, Words>;

/** The ways of signing in by their grants; another grant is shown as it was sent. */
export const wayWords: Readonly<Record<string, Words>> = {
  captcha: ['密码与验证码', 'Password and captcha'],
  password: ['密码', 'Password'],
  totp: ['二次验证', 'Second factor'],
  sms_code: ['短信验证码', 'Text message'],
  social: ['第三方登录', 'Sign-in provider'],
  authorization_code: ['授权码', 'Authorization code'],
  register: ['注册', 'Registration'],
};
