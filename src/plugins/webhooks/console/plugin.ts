import { addToScreen, definePlugin, page } from '#kernel';
import { webhookDeliveryMenu, webhookMenu } from '../menus.ts';

/** Webhooks: the endpoints of the tenant, and what was sent to them. */
export default definePlugin({
  id: 'webhooks',
  title: ['Webhook', 'Webhooks'],
  pages: [page(webhookMenu, () => import('./EndpointPage.tsx')), page(webhookDeliveryMenu, () => import('./DeliveryPage.tsx'))],
  contributions: [addToScreen(webhookMenu.code, () => import('./endpoint-screen.tsx'))],
});
