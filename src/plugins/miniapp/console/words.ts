import type { Words } from '#shared/text';
import type { Phase } from '../contract.ts';

/** What only the console says of the mini-app. */
export const miniappWords = {
  arrange: ['调整顺序', 'Put in order'],
  nothing: ['这个位置还没有轮播图', 'No banners here yet'],
  preview: ['小程序预览', 'Preview of the mini-app'],
  unnamed: ['未命名', 'Unnamed'],
  service: ['联系客服', 'Contact us'],
  rules: ['任务与提现', 'Tasks and withdrawals'],
  submit: ['领取后 {hours} 小时内提交', 'Hand in within {hours} h'],
  audit: ['提交后 {hours} 小时内审核', 'Reviewed within {hours} h'],
  claim: ['最多同时领取 {count} 个任务', 'Up to {count} tasks at a time'],
  withdraw: ['满 ¥{amount} 可提现', 'Withdraw from ¥{amount}'],
  fee: ['手续费 {rate}%', 'Fee {rate}%'],
  failed: ['设置未能加载', 'The settings did not load.'],
  retry: ['重试', 'Try again'],
  daily: ['每日 {count} 次', '{count} a day'],
} as const satisfies Record<string, Words>;

/** Where a banner stands in its time, in words. */
export const phaseWords: Readonly<Record<Phase, Words>> = {
  off: ['停用', 'Off'],
  waiting: ['未开始', 'Waiting'],
  showing: ['展示中', 'Showing'],
  over: ['已结束', 'Over'],
};
