import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  code: ['代码模块', 'module'],
  datasource: ['数据源', 'data source'],
  model: ['数据模型', 'data model'],
} as const satisfies Record<string, LocalizedText>;
