import { defineServerPlugin, provide, Webhooks } from '#server';
import { webhookTested } from '../contract.ts';
import { webhookDeliveryMenu, webhookMenu } from '../menus.ts';
import { deliveryRoutes, purgeDeliveries } from './deliveries.ts';
import { disabledMail } from './endpoint-state.ts';
import { endpointRoutes, endpointsOf } from './endpoints.ts';
import { Sender } from './sender.ts';
import { StoredWebhooks } from './stored-webhooks.ts';

const sendSeconds = 2;

/** Webhooks: sends events of plugins to servers of tenants, signed and with retries, and shows what they answered. */
export default defineServerPlugin({
  id: 'webhooks',
  title: ['Webhook', 'Webhooks'],
  menus: [webhookMenu, webhookDeliveryMenu],
  mailKinds: [disabledMail],
  webhookEvents: [webhookTested],

  setup(context) {
    const webhooks = new StoredWebhooks(context);
    const endpoints = endpointsOf(context, webhooks);
    const sender = new Sender(context);
    return {
      services: [provide(Webhooks, webhooks)],
      routes: [...endpointRoutes(context, endpoints, webhooks), ...deliveryRoutes(context, endpoints, sender)],
      processors: { 'webhooks:purge': purgeDeliveries(context) },
      tasks: [{ everySeconds: sendSeconds, run: () => sender.poll() }],
      stop: () => sender.stop(),
    };
  },
});
