import { choiceParameter, integerParameter, type Parameter } from '#shared/parameters';

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
export const lowFunds = integerParameter({
  key: 'payment.lowFunds',
  group: limitsGroup,
  title: ['余额预警线', 'Low balance threshold'],
  help: [
    '广告主的可用资金低于此数时，通知可登记收款的人员；0 表示仅在可用资金为负时通知',
    'Users who can record receipts are notified when the available money of an advertiser falls below it; 0 to notify only of negative amounts',
  ],
  preset: 0,
  unit: fen,
  isMoney: true,
});
/** Values of the parameter for publications that cost more than the advertiser has. */
export const beyondFunds = { refuse: 'refuse', warn: 'warn' } as const;
export const publishingBeyondFunds = choiceParameter({
  key: 'payment.publishingBeyondFunds',
  group: limitsGroup,
  title: ['资金不足时发布', 'Publishing beyond available money'],
  help: ['发布任务的费用超过广告主可用资金（含授信）时的处理', 'What happens when tasks cost more than the advertiser has available, credit included'],
  preset: beyondFunds.refuse,
  options: [
    [beyondFunds.refuse, ['禁止发布', 'Refuse']],
    [beyondFunds.warn, ['提醒后可发布', 'Warn']],
  ],
});

/** Parameters this plugin reads. */
export const paymentParameters: readonly Parameter[] = [singleLimit, dailyLimit, approvalAbove, lowFunds, publishingBeyondFunds];
