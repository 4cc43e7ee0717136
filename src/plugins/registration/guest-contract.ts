import * as Type from 'typebox';
import { NoContent, post } from '#shared/contract';
import { Phone } from '#shared/fields';

/** Phone number of an applicant. */
export const ApplicantPhone = Phone({ title: ['手机号', 'Phone'] });

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });

/**
 * Requests an account for an unlinked identity, with the token of the sign-in reply whose `user_id` is empty. The tenant is that of the stored identity, regardless
 * of the request. The account needs the approval of an administrator.
 */
export const registerGuest = post('/api/blade-system/user/register-guest', {
  title: ['注册申请', 'Request an account'],
  access: 'open',
  input: Type.Object({
    tenantId: Type.Optional(text(12)),
    name: Type.Optional(text(64)),
    account: Type.Optional(text(64)),
    /** Password in plain text, as MD5 hex or as SM2 hex. */
    password: Type.Optional(text(512)),
    password2: Type.Optional(text(512)),
    oauthId: Type.Optional(text(19)),
  }),
  reply: NoContent,
});
