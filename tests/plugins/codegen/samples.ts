import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: {
    datasource: { name: '样例', driverClass: 'embedded' },
    model: { modelName: '样例', datasourceId: '$datasource', modelTable: 'dict', modelClass: 'Sample', modelCode: 'sample' },
    code: {
      codeName: '样例',
      englishName: 'Sample',
      modelId: '$other_model',
      serviceName: 'sample',
      tableName: 'sample',
      templateType: 'crud',
      menuGroup: 'base',
      apiPath: '/api/sample/sample',
      webPath: '/base/sample',
    },
  },
  references: { other_model: { calls: 'model', form: { modelName: '另一个', modelClass: 'Other', modelCode: 'other' } } },
  rows: [
    { entity: 'code' },
    { entity: 'model', values: { datasourceId: '$datasource', modelTable: 'dict' } },
    { entity: 'model_prototype', values: { modelId: '$model' } },
  ],
  reads: {
    values: { tableName: ['dict'] },
    together: {
      'codegen.model.tableInfo datasourceId': { tableName: 'dict' },
      'codegen.model.tableInfo tableName': { datasourceId: '$datasource' },
      'codegen.model.prototypes datasourceId': { modelId: '$model', current: 'true' },
      'codegen.model.prototypes current': { modelId: '$model' },
    },
  },
} satisfies PluginSamples;
