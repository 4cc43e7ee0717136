import { entity } from '../contract/contract.ts';
import { DateTime, Id, Nullable, Select, Text } from '../contract/fields.ts';

/** Outcomes of a sign-in attempt. */
export const loginOutcomes = [
  ['granted', ['成功', 'Signed in']],
  ['second-factor-required', ['等待二次验证', 'Awaiting two-step verification']],
  ['wrong-credentials', ['用户名或密码错误', 'Incorrect account or password']],
  ['wrong-captcha', ['验证码错误', 'Incorrect captcha']],
  ['wrong-second-factor', ['二次验证失败', 'Two-step verification failed']],
  ['wrong-passkey', ['通行密钥验证失败', 'Passkey not verified']],
  ['locked', ['账号已锁定', 'Account locked']],
  ['address-locked', ['来源地址已锁定', 'IP address locked']],
  ['ended-by-provider', ['会话被身份源结束', 'Session ended by the provider']],
  ['refused', ['已拒绝', 'Rejected']],
] as const satisfies readonly (readonly [string, readonly [string, string]])[];

/** One of `loginOutcomes`. */
export type LoginOutcome = (typeof loginOutcomes)[number][0];

/** A sign-in attempt and its outcome; kept for 180 days. */
export const LoginLogEntry = entity('login_log', {
  id: Id(),
  createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }),
  account: Text({ title: ['账号', 'Account'], maxLength: 64, search: true }),
  outcome: Select({
    title: ['结果', 'Result'],
    options: loginOutcomes,
    search: true,
    tones: { granted: 'good', 'second-factor-required': 'neutral', 'ended-by-provider': 'neutral' },
  }),
  /** Grant type: `captcha`, `password`, `totp`, `passkey`, `social`… */
  way: Text({ title: ['方式', 'Method'], maxLength: 32, search: true }),
  address: Text({ title: ['来源地址', 'IP address'], maxLength: 64, search: true }),
  device: Text({ title: ['设备', 'Device'] }),
  userAgent: Nullable(Text({ title: ['浏览器标识', 'User agent'], maxLength: 512, list: false })),
  clientId: Text({ title: ['客户端', 'Client'], maxLength: 64, list: false }),
  userId: Nullable(Id({ title: ['用户编号', 'User ID'] })),
});
