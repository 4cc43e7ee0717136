import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  advertiser: ['广告主', 'advertiser'],
  category: ['任务分类', 'category'],
  city: ['城市', 'city'],
  platform: ['投放平台', 'platform'],
  taskGrade: ['任务等级', 'task grade'],
} as const satisfies Record<string, LocalizedText>;
