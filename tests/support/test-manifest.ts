import type { Manifest } from '#shared/manifest';

/** Deployment without plugins, for tests. */
export const testManifest: Manifest = {
  product: { name: 'Marquee', title: ['广告与任务分发管理平台', 'Advertising and task distribution'] },
  storagePrefix: 'test-',
  language: 'zh',
  theme: 'theme-default',
  homePath: '/wel/index',
  tokenTime: 3000,
  clientId: 'sryx',
  modes: { tenant: false, switch: false, debug: false },
  plugins: [],
};
