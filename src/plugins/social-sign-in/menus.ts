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
