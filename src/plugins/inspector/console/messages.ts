import type { LocalizedText } from '#shared/text';

/** Kinds of contributions to the console. */
export const contributionKinds = {
  page: ['页面', 'Page'],
  override: ['替换页面', 'Replaced page'],
  slot: ['插槽', 'Slot'],
  field: ['添加字段', 'Added field'],
  rule: ['收紧字段校验', 'Stricter field validation'],
  input: ['替换表单字段', 'Replaced form field'],
  column: ['添加列', 'Added column'],
  columnOverride: ['替换列', 'Replaced column'],
  event: ['监听事件', 'Event listener'],
} as const satisfies Record<string, LocalizedText>;

/** Reasons for a menu entry to be shown or hidden. */
export const menuReasons = {
  unknown: ['原因未知', 'Unknown reason.'],
  shown: ['已显示', 'Shown.'],
  fixed: ['已显示；每个控制台都有此地址，无需菜单', 'Shown. This address is always available and needs no menu item.'],
  menuLoading: ['菜单尚未加载', 'The menu has not loaded yet.'],
  notGranted: ['服务器未返回此菜单：未授权，或已在菜单管理中删除', 'The server does not return this menu item: it is not granted, or it was deleted.'],
  noPlugin: ['菜单中有此项，但本部署没有对应的插件', 'It is in the menu, but no plugin in this deployment provides it.'],
  byPath: (code: string): LocalizedText => [`已显示；服务器上的编码为「${code}」`, `Shown. Its code on the server is “${code}”.`],
  menuFailed: (message: string): LocalizedText => [`菜单加载失败：${message}`, `Could not load the menu: ${message}`],
  notRunning: ([zh, en]: LocalizedText): LocalizedText => [`插件未运行：${zh}`, `The plugin is not running: ${en}`],
  unreadable: ([zh, en]: LocalizedText): LocalizedText => [`无法读取插件，其页面未知：${zh}`, `The plugin could not be read, so its pages are unknown: ${en}`],
} as const;

/** Texts of the inspector. */
export const inspectorMessages = {
  title: ['内核检查器', 'Kernel inspector'],
  administratorsOnly: ['仅管理员可查看', 'Only administrators can open this page.'],
  plugins: ['插件', 'Plugins'],
  graph: ['依赖图', 'Dependencies'],
  contributions: ['贡献', 'Contributions'],
  events: ['事件', 'Events'],
  stores: ['状态仓库', 'Stores'],
  containers: ['容器', 'Containers'],
  menus: ['菜单为何不显示', 'Missing menus'],
  copy: ['复制为文本', 'Copy as text'],
  copied: ['已复制', 'Copied'],
  copyFailed: ['复制失败，请手动选择', 'Could not copy. Select the text instead.'],
  plugin: ['插件', 'Plugin'],
  state: ['状态', 'Status'],
  timings: ['各阶段耗时', 'Duration by phase'],
  faults: ['错误', 'Errors'],
  cause: ['原因', 'Cause'],
  kind: ['类别', 'Kind'],
  content: ['内容', 'Content'],
  filter: ['筛选', 'Filter'],
  pause: ['暂停', 'Pause'],
  resume: ['继续', 'Resume'],
  clear: ['清空', 'Clear'],
  replay: ['重放', 'Replay'],
  noEvents: ['暂无事件。此后发生的事件会显示在这里', 'No events yet. New events appear here.'],
  by: ['由 {who} 发出', 'by {who}'],
  causedBy: ['起因 #{number}', 'caused by #{number}'],
  receivedBy: ['{who} 接收', 'received by {who}'],
  noListeners: ['无', 'none'],
  console: ['控制台', 'the console'],
  service: ['服务', 'Service'],
  dependencies: ['依赖', 'Depends on'],
  created: ['已创建', 'Created'],
  page: ['页面', 'Page'],
  result: ['结论', 'Result'],
  explain: ['权限说明', 'Permission explainer'],
  restore: ['回到此刻', 'Restore this state'],
  storesInDevelopment: [
    '开发时（npm run dev）会列出所有状态仓库及其历史，可回到过去',
    'In development (npm run dev), every store is listed with its history and can be restored.',
  ],
} as const satisfies Record<string, LocalizedText>;
