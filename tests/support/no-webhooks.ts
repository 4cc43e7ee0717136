import { ProvidedWebhooks } from '../../src/server/platform/webhooks/webhooks.ts';

/** Sends no events, as without the plugin `webhooks`. */
export const noWebhooks = new ProvidedWebhooks(() => undefined);
