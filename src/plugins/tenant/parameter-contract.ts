import { integerParameter, type Parameter, textParameter } from '#shared/parameters';

const tenantGroup = ['租户', 'Tenants'] as const;
export const defaultAccountQuota = integerParameter({
  key: 'tenant.default.accountNumber',
  group: tenantGroup,
  title: ['租户默认账号额度', 'Default tenant account quota'],
  help: ['新租户的账号额度，-1 表示不限', 'Account quota of new tenants; -1 for no limit'],
  preset: -1,
  minimum: -1,
  maximum: 1_000_000,
});
export const defaultMenus = textParameter({
  key: 'tenant.default.menuCode',
  group: tenantGroup,
  title: ['租户默认菜单', 'Default tenant menus'],
  help: ['无产品包的新租户的菜单编号，以逗号分隔；不填为全部', 'Menu codes of new tenants without a package, separated by commas. Leave empty for all'],
  preset: '',
});

/** Parameters this plugin reads. */
export const tenantParameters: readonly Parameter[] = [defaultAccountQuota, defaultMenus];
