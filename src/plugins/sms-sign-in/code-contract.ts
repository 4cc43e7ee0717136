import * as Type from 'typebox';
import { post } from '#shared/contract';
import { Phone } from '#shared/fields';

/** Phone number that a user types to sign in. */
export const SignInPhone = Phone({ title: ['手机号', 'Phone'] });

/** Sends a one-time code for the grant `sms_code`, valid for five minutes. The reply does not reveal whether the phone number belongs to a user. */
export const sendSmsCode = post('/api/things-auth/oauth/sms/send-validate', {
  title: ['发送短信验证码', 'Send a text message code'],
  access: 'open',
  input: Type.Object({
    tenantId: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 12 })),
    phone: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 512 })),
  }),
  reply: Type.Object({ id: Type.Unsafe<string>({ type: 'string' }) }),
});
