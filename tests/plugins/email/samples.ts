import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { emailServer: { host: 'smtp.example.com', senderName: '样例', senderAddress: 'sample@example.com', consoleUrl: 'https://console.example.com' } },
  rows: [{ entity: 'email_message' }],
} satisfies PluginSamples;
