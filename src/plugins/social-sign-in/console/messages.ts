import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  socialApp: ['第三方登录', 'sign-in provider'],
  provider: ['身份源', 'identity provider'],
  providerGroup: ['群组对应', 'group mapping'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the return from a provider. */
export const callbackMessages = {
  returning: ['正在通过{source}登录…', 'Signing in with {source}…'],
  failed: ['无法通过{source}登录', 'Could not sign in with {source}'],
  cancelled: ['您已取消授权，未登录。', 'Authorization was canceled. You are not signed in.'],
  incomplete: ['返回的登录信息不完整，请重新发起。', 'The sign-in response is incomplete. Start again.'],
  tryAgain: ['重试', 'Try again'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the section of linked accounts. */
export const bindingMessages = {
  bind: ['绑定', 'Link'],
  unbind: ['解除绑定', 'Unlink'],
  unbindQuestion: ['确定解除绑定{source}？解除后将无法再用其登录。', 'Unlink {source}? You will no longer be able to sign in with it.'],
  bound: ['已绑定：{name}', 'Linked: {name}'],
  boundNameless: ['已绑定', 'Linked'],
  notBound: ['未绑定', 'Not linked'],
  hasBound: ['{source}已绑定', '{source} linked'],
  hasUnbound: ['{source}已解除绑定', '{source} unlinked'],
  bindFailed: ['无法绑定{source}：{reason}', 'Could not link {source}: {reason}'],
  bindCancelled: ['您已取消授权', 'authorization was canceled'],
  noProviders: ['管理员尚未开通第三方登录。', 'Third-party sign-in has not been set up. Contact an administrator.'],
} as const;

/** Texts of the sign-in with a directory. */
export const directoryMessages = {
  signInWith: ['使用{name}登录', 'Sign in with {name}'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the page of identity providers. */
export const providerMessages = {
  check: ['检测', 'Check'],
  groups: ['群组对应的角色', 'Roles of groups'],
  addresses: ['登记地址', 'Addresses to register'],
  addressesHint: ['请在签发者处为该应用登记以下地址。', 'Register these addresses for the client at the issuer.'],
  redirect: ['回调地址', 'Redirect URI'],
  logout: ['后端通道登出地址', 'Back-channel logout URI'],
  close: ['关闭', 'Close'],
  state: ['状态', 'Status'],
  address: ['地址', 'Address'],
  enabled: ['已启用', 'Enabled'],
  off: ['已停用', 'Disabled'],
  unreachable: ['无响应', 'Unreachable'],
} as const satisfies Record<string, LocalizedText>;
