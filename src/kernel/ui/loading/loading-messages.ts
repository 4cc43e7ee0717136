/** Texts of a part that loads. */
export const loadingMessages = {
  waiting: ['请稍候…', 'Please wait…'],
  failed: ['加载失败', 'Could not load'],
} as const;
