/** Safe mode, and plugins that are switched off. */
export const plugins = {
  switchedOff: '插件“{plugin}”已被管理员停用',
  safeTitle: '安全模式',
  safeAddress: '仅核心插件在运行，其他功能暂不可用。',
  safeServer: '服务器仅启动了核心插件。去掉 SAFE_MODE 或 --safe 并重启服务器即可退出。',
  safeLeave: '退出安全模式',
};
