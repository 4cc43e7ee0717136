import { definePlugin, page } from '#kernel';
import { smsOutboxMenu } from '../menus.ts';

/** Sign-in by text message, and the messages that were stored instead of sent. */
export default definePlugin({
  id: 'sms-sign-in',
  title: ['短信登录', 'SMS sign-in'],
  pages: [page(smsOutboxMenu, () => import('./SmsOutboxPage.tsx'))],
});
