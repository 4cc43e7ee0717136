import { contribute, definePlugin, page } from '#kernel';
import { AccountSections } from '#plugins/account/extension';
import { socialAppMenu } from '../menus.ts';

/** Sign-in at identity providers: social accounts, mini-programs and single sign-on. */
export default definePlugin({
  id: 'social-sign-in',
  title: ['第三方登录', 'Sign-in providers'],
  optionalDependencies: ['account'],
  pages: [page(socialAppMenu, () => import('./SocialAppPage.tsx'))],
  contributions: [contribute(AccountSections, { title: ['第三方账号', 'Linked accounts'], icon: 'globe', load: () => import('./BindingsSection.tsx') })],
});
