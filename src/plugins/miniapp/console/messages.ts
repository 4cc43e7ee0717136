import type { LocalizedText } from '#shared/text';
import type { BannerPhase } from '../contract.ts';

/** Kinds of record in the titles of forms. */
export const nouns = {
  banner: ['轮播图', 'banner'],
} as const satisfies Record<string, LocalizedText>;

/** Texts only the console uses. */
export const miniappMessages = {
  reorder: ['调整顺序', 'Reorder'],
  noBanners: ['这个位置还没有轮播图', 'No banners here yet'],
  preview: ['小程序预览', 'Mini-app preview'],
  unnamed: ['未命名', 'Unnamed'],
  service: ['联系客服', 'Contact us'],
  rules: ['任务与提现', 'Tasks and withdrawals'],
  submit: ['领取后 {hours} 小时内提交', 'Submit within {hours} h'],
  audit: ['提交后 {hours} 小时内审核', 'Reviewed within {hours} h'],
  claim: ['最多同时领取 {count} 个任务', 'Up to {count} tasks at a time'],
  withdraw: ['满 ¥{amount} 可提现', 'Withdraw from ¥{amount}'],
  fee: ['手续费 {rate}%', 'Fee {rate}%'],
  failed: ['设置加载失败', 'Could not load settings.'],
  retry: ['重试', 'Try again'],
  daily: ['每日 {count} 次', 'Withdrawals per day: {count}'],
} as const satisfies Record<string, LocalizedText>;

/** Labels of banner phases. */
export const phaseMessages: Readonly<Record<BannerPhase, LocalizedText>> = {
  off: ['停用', 'Disabled'],
  waiting: ['未开始', 'Scheduled'],
  showing: ['展示中', 'Active'],
  over: ['已结束', 'Ended'],
};
