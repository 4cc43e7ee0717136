import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { socialApp: { source: 'github', clientId: 'sample', clientSecret: 'a sample secret', isEnabled: 1 } },
  rows: [{ entity: 'social_app' }],
} satisfies PluginSamples;
