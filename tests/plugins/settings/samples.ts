import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { client: { clientId: 'sample', authorizedGrantTypes: ['password'], isPublic: false, autoapprove: false } },
} satisfies PluginSamples;
