import type { LocalizedText } from '#shared/text';

/** Texts of the safe mode banner, loaded with the banner. */
export const safeModeMessages = {
  title: ['安全模式', 'Safe mode'],
  address: ['仅核心插件在运行，其他功能暂不可用。', 'Only core plugins are running. Other features are unavailable.'],
  server: [
    '服务器仅启动了核心插件。去掉 SAFE_MODE 或 --safe 并重启服务器即可退出。',
    'The server started core plugins only. Restart it without SAFE_MODE or --safe to exit safe mode.',
  ],
  leave: ['退出安全模式', 'Exit safe mode'],
} as const satisfies Record<string, LocalizedText>;
