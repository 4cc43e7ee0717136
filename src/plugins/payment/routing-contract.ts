import { Integer, Money, Nullable, Select } from '#shared/fields';

const group = ['路由', 'Routing'] as const;

/** Fields of a provider's configuration that decide which payouts it gets; amounts in 分. */
export const routingFields = {
  minAmount: Nullable(Money({ title: ['单笔最低金额', 'Min amount'], minimum: 0, list: false, total: false, group })),
  maxAmount: Nullable(Money({ title: ['单笔最高金额', 'Max amount'], minimum: 0, list: false, total: false, group })),
  feeRate: Nullable(
    Integer({
      title: ['费率（万分之）', 'Fee rate (per 10,000)'],
      minimum: 0,
      maximum: 10_000,
      list: false,
      total: false,
      help: ['每笔付款选择费用最低的渠道', 'Each payout goes to the provider with the lowest fee'],
      group,
    }),
  ),
  feeFixed: Nullable(Money({ title: ['每笔费用', 'Fee per payout'], minimum: 0, list: false, total: false, group })),
  priority: Nullable(
    Integer({
      title: ['优先级', 'Priority'],
      minimum: 0,
      maximum: 9999,
      list: false,
      total: false,
      help: ['费用相同时数字小的优先，未填写的最后', 'Among equal fees the lower number goes first; without one it goes last'],
      group,
    }),
  ),
} as const;

/** States of a provider's configuration. */
export const providerStatus = { off: 1, enabled: 2 } as const;

/** Field with the state of a provider's configuration; the calls that enable and disable it change it. */
export const providerStatusField = Select({
  title: ['状态', 'Status'],
  form: false,
  search: true,
  default: providerStatus.off,
  tones: { 1: 'neutral', 2: 'good' },
  options: [
    [providerStatus.off, ['停用', 'Disabled']],
    [providerStatus.enabled, ['启用', 'Enabled']],
  ],
});

/** Tests whether the configuration of a provider is disabled. */
export const isProviderOff = ({ status }: { readonly status: number }): boolean => status === providerStatus.off;
