import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: {
    apiScope: { menuId: '$page', scopeName: '样例', resourceCode: 'sample', scopePath: '/api/sample/*', scopeType: 2 },
    dataScope: { menuId: '$page', scopeName: '样例', resourceCode: 'sample', scopeType: 2, scopeField: '*' },
    topMenu: { name: '样例', code: 'sample', sort: 1 },
    menus: { name: '样例', code: 'sample', alias: 'menu', path: '/sample', sort: 1 },
  },
  references: { page: "select id::text as id from menu where code = 'role'" },
  rows: [{ entity: 'top_menu' }, { entity: 'role' }, { entity: 'api_scope' }, { entity: 'data_scope' }],
  reads: { values: { about: ['role'] }, together: { 'access.explaining.of rowId': { about: '/api/oms-system/role/submit' } } },
} satisfies PluginSamples;
