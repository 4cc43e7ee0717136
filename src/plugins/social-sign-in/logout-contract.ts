import * as Type from 'typebox';
import { post } from '#shared/contract';

/** Ends sessions when an issuer says that they have ended there (OpenID Connect Back-Channel Logout 1.0). */
export const backChannelLogout = post('/api/blade-auth/oauth/backchannel-logout', {
  title: ['后端通道登出', 'Back-channel logout'],
  access: 'open',
  bare: true,
  clientHeader: false,
  input: Type.Object({
    provider: Type.Unsafe<string>({ type: 'string', pattern: '^\\d{1,19}$' }),
    logout_token: Type.Unsafe<string>({ type: 'string', maxLength: 8192, writeOnly: true }),
  }),
  reply: Type.Object({}),
});
