import { integerParameter, type Parameter } from '#shared/parameters';

const limitsGroup = ['付款', 'Payment'] as const;
const fen = ['分', 'fen'] as const;
export const singleLimit = integerParameter({
  key: 'payment.singleLimit',
  group: limitsGroup,
  title: ['单笔付款上限', 'Max single payment'],
  help: ['单笔付款的上限，0 表示不限', 'Maximum amount of a single payment; 0 for no limit'],
  preset: 200_000,
  unit: fen,
  isMoney: true,
});
export const dailyLimit = integerParameter({
  key: 'payment.dailyLimit',
  group: limitsGroup,
  title: ['每日付款上限', 'Max daily payments'],
  help: ['每日付款合计的上限，0 表示不限', 'Maximum total of payments per day; 0 for no limit'],
  preset: 10_000_000,
  unit: fen,
  isMoney: true,
});
export const approvalAbove = integerParameter({
  key: 'payment.approvalAbove',
  group: limitsGroup,
  title: ['免复核额度', 'Approval threshold'],
  help: [
    '单人单日申请的付款合计超过此额度后须由他人复核，0 表示全部复核',
    'Payments requested by one person beyond this daily total need approval by another; 0 to always require approval',
  ],
  preset: 100_000,
  unit: fen,
  isMoney: true,
});

/** Parameters this plugin reads. */
export const paymentParameters: readonly Parameter[] = [singleLimit, dailyLimit, approvalAbove];
