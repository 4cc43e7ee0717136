import type { Words } from '#shared/text';

/** What the banner of safe mode says; it comes with the banner. */
export const words = {
  title: ['安全模式', 'Safe mode'],
  address: ['仅核心插件在运行，其他功能暂不可用。', 'Core plugins alone run. Everything else is away for now.'],
  server: [
    '服务器仅启动了核心插件。去掉 SAFE_MODE 或 --safe 并重启服务器即可退出。',
    'The server has started core plugins alone. Restart it without SAFE_MODE or --safe to leave.',
  ],
  leave: ['退出安全模式', 'Leave safe mode'],
} as const satisfies Record<string, Words>;
