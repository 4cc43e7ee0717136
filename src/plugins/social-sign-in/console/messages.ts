import type { LocalizedText } from '#shared/text';

/** Texts of the return from a provider. */
export const callbackMessages = {
  returning: ['正在通过{source}登录…', 'Signing in with {source}…'],
  failed: ['无法通过{source}登录', 'Could not sign in with {source}'],
  cancelled: ['您已取消授权，未登录。', 'Authorization was canceled. You are not signed in.'],
  incomplete: ['返回的登录信息不完整，请重新发起。', 'The sign-in response is incomplete. Start again.'],
  tryAgain: ['重试', 'Try again'],
} as const satisfies Record<string, LocalizedText>;
