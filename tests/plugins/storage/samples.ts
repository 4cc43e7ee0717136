import { type PluginSamples, storedFileKey } from '../../kit/samples.ts';

export default {
  forms: { oss: { category: '7', ossCode: 'sample' } },
  rows: [{ entity: 'oss' }],
  reads: { values: { fileName: [storedFileKey] } },
} satisfies PluginSamples;
