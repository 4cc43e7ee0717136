import { definePlugin, page } from '#kernel';
import { registrationMenu, smsOutboxMenu, socialAppMenu } from '../menus.ts';

/** Sign-in: identity providers, registration requests, and text messages that were stored instead of sent. */
export default definePlugin({
  id: 'sign-in',
  title: ['登录管理', 'Sign-in'],
  pages: [
    page(socialAppMenu, () => import('./SocialAppPage.tsx')),
    page(registrationMenu, () => import('./RegistrationPage.tsx')),
    page(smsOutboxMenu, () => import('./SmsOutboxPage.tsx')),
  ],
});
