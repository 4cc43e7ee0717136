import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { tenant: { tenantName: '样例租户', linkman: '样例' } },
  rows: [{ entity: 'tenant_package' }],
  statements: ["insert into tenant (tenant_id, tenant_name, linkman, is_deleted, update_time) values ('100001', '已删除', '样例', 1, now())"],
} satisfies PluginSamples;
