import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { webhookEndpoint: { name: '样例', url: 'https://hooks.example.com/', events: ['task.published'] } },
  rows: [{ entity: 'webhook_endpoint' }, { entity: 'webhook_delivery', values: { endpointId: '$webhook_endpoint' } }],
} satisfies PluginSamples;
