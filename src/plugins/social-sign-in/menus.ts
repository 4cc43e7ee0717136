import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const socialAppMenu = menu({
  code: 'social_app',
  title: ['第三方登录', 'Sign-in providers'],
  path: '/system/social_app',
  under: menuGroups.system,
  icon: 'link',
  sort: 9,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const providerMenu = menu({
  code: 'identity_provider',
  title: ['身份源', 'Identity providers'],
  path: '/system/identityprovider',
  under: menuGroups.system,
  icon: 'safe',
  sort: 9,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'identity_provider_check', title: ['检测', 'Check'] }],
});

export const providerGroupMenu = menu({
  code: 'identity_provider_group',
  title: ['身份源群组', 'Provider groups'],
  path: '/system/identityprovidergroup',
  under: menuGroups.system,
  icon: 'user-group',
  sort: 9,
  buttons: ['add', 'edit', 'delete', 'view'],
});
