import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: {
    dict: { code: 'sample', dictValue: '样例', sort: 1, isSealed: 0 },
    dictBiz: { code: 'sample', dictValue: '样例', sort: 1, isSealed: 0 },
  },
  rows: [{ entity: 'dict_biz' }, { entity: 'dict_biz', as: 'dict_biz_entry', values: { parentId: '$dict_biz', dictKey: '1' } }],
  reads: {
    unaffected: {
      'dictionary.dict.dictionary includesArchived': 'no seeded entry is archived',
      'dictionary.dictBiz.dictionary includesArchived': 'no seeded entry is archived',
    },
  },
} satisfies PluginSamples;
