import { definePlugin, page } from '#kernel';
import { registrationMenu, smsOutboxMenu, socialAppMenu } from '../menus.ts';

/** Who may sign in and how: providers of identities, wishes for accounts, and text messages that were not sent. */
export default definePlugin({
  id: 'sign-in',
  title: ['登录管理', 'Sign-in'],
  pages: [
    page(socialAppMenu, () => import('./SocialAppPage.tsx')),
    page(registrationMenu, () => import('./RegistrationPage.tsx')),
    page(smsOutboxMenu, () => import('./SmsOutboxPage.tsx')),
  ],
});
