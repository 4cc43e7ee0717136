import { definePlugin, page } from '#kernel';
import { smsDeliveryMenu, smsMenu, smsTemplateMenu } from '../menus.ts';

/** Text messages: vendors and templates of a tenant, test messages, and the delivery log. */
export default definePlugin({
  id: 'sms',
  title: ['短信服务', 'Text messages'],
  pages: [
    page(smsMenu, () => import('./SmsPage.tsx')),
    page(smsTemplateMenu, () => import('./TemplatePage.tsx')),
    page(smsDeliveryMenu, () => import('./DeliveryPage.tsx')),
  ],
});
