import { contribute, definePlugin, page } from '#kernel';
import { AccountSections } from '#plugins/account/extension';
import { providerGroupMenu, providerMenu, socialAppMenu } from '../menus.ts';

/** Sign-in at identity providers: social accounts, mini-programs, single sign-on, and the issuers and directories of tenants. */
export default definePlugin({
  id: 'social-sign-in',
  title: ['第三方登录', 'Sign-in providers'],
  optionalDependencies: ['account'],
  pages: [
    page(socialAppMenu, () => import('./SocialAppPage.tsx')),
    page(providerMenu, () => import('./ProviderPage.tsx')),
    page(providerGroupMenu, () => import('./ProviderGroupPage.tsx')),
  ],
  contributions: [contribute(AccountSections, { title: ['第三方账号', 'Linked accounts'], icon: 'globe', load: () => import('./BindingsSection.tsx') })],
});
