import { contribute, definePlugin, route, UserMenuItems } from '#kernel';
import { accountRoute, consentRoute } from '../menus.ts';

/** Account: the page on which users change their own account, and the page on which they let another program sign them in. */
export default definePlugin({
  id: 'account',
  title: ['个人中心', 'Account'],
  core: true,
  pages: [route(accountRoute, () => import('./AccountPage.tsx')), route(consentRoute, () => import('./ConsentPage.tsx'), { isTab: false })],
  contributions: [contribute(UserMenuItems, { title: ['修改密码', 'Change password'], icon: 'key', path: accountRoute.path })],
});
