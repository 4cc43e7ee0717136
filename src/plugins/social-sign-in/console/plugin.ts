import { definePlugin, page } from '#kernel';
import { socialAppMenu } from '../menus.ts';

/** Sign-in at identity providers: social accounts, mini-programs and single sign-on. */
export default definePlugin({
  id: 'social-sign-in',
  title: ['第三方登录', 'Sign-in providers'],
  pages: [page(socialAppMenu, () => import('./SocialAppPage.tsx'))],
});
