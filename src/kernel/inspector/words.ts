import type { Words } from '#shared/text';

/** The kinds of what plugins put into the console. */
export const kinds = {
  page: ['页面', 'Page'],
  override: ['替换页面', 'Page in place of another’s'],
  search: ['搜索', 'Search'],
  slot: ['插槽', 'Slot'],
  field: ['添加字段', 'Adds a field'],
  rule: ['收紧字段校验', 'Asks more of a field'],
  input: ['替换表单字段', 'Shows a field otherwise'],
  column: ['添加列', 'Adds a column'],
  columnOverride: ['替换列', 'Shows a column otherwise'],
  event: ['监听事件', 'Listens to'],
} as const satisfies Record<string, Words>;

/** Why a menu entry is shown, or is not. */
export const verdicts = {
  unknown: ['原因未知', 'Nobody knows why.'],
  shown: ['已显示', 'Shown.'],
  fixed: ['已显示；每个控制台都有此地址，无需菜单', 'Shown; every console has this address, without an entry of the menu.'],
  menuComing: ['菜单尚未加载', 'The menu has not arrived yet.'],
  notGranted: ['服务器没有给出此菜单：未授权，或已在菜单管理中删除', 'The server does not give it: it is not granted, or it was deleted from the menu.'],
  unclaimed: ['菜单里有，但本部署没有插件认领它', 'It is in the menu, but no plugin of this deployment answers to it.'],
  byPath: (code: string): Words => [`已显示；服务器上的编码为“${code}”`, `Shown; the server calls it "${code}".`],
  menuFailed: (message: string): Words => [`菜单加载失败：${message}`, `The menu could not be loaded: ${message}`],
  notRunning: ([zh, en]: Words): Words => [`插件未运行：${zh}`, `Its plugin does not run: ${en}`],
  notRead: ([zh, en]: Words): Words => [`插件未能读取，其页面未知：${zh}`, `Its plugin could not be read, so its pages are not known: ${en}`],
} as const;

/** What the inspector says. */
export const words = {
  title: ['内核检查器', 'Kernel inspector'],
  refused: ['仅管理员可查看', 'Only administrators may look at this.'],
  plugins: ['插件', 'Plugins'],
  graph: ['依赖图', 'Dependencies'],
  contributions: ['贡献', 'Contributions'],
  events: ['事件', 'Events'],
  stores: ['状态', 'Stores'],
  containers: ['容器', 'Containers'],
  menus: ['菜单为何不显示', 'Why is a menu missing'],
  copy: ['复制为文本', 'Copy as text'],
  plugin: ['插件', 'Plugin'],
  state: ['状态', 'State'],
  timings: ['各阶段耗时', 'Time of each phase'],
  faults: ['错误', 'Faults'],
  cause: ['原因', 'Cause'],
  kind: ['类别', 'Kind'],
  what: ['内容', 'What'],
  filter: ['筛选', 'Filter'],
  pause: ['暂停', 'Pause'],
  resume: ['继续', 'Go on'],
  clear: ['清空', 'Clear'],
  replay: ['重放', 'Replay'],
  noEvents: ['还没有事件。打开本页之后发生的会列在这里', 'No events yet. What happens from now on is listed here.'],
  by: ['由 {who} 发出', 'by {who}'],
  causedBy: ['起因 #{number}', 'caused by #{number}'],
  heardBy: ['{who} 听到', 'heard by {who}'],
  nobody: ['无人', 'nobody'],
  console: ['控制台', 'the console'],
  service: ['服务', 'Service'],
  needs: ['依赖', 'Made with'],
  made: ['已创建', 'Made'],
  page: ['页面', 'Page'],
  answer: ['结论', 'Answer'],
  explain: ['权限说明', 'Permission explainer'],
  travel: ['回到此刻', 'Go back to this'],
  storesInDevelopment: [
    '开发时（npm run dev）会列出所有状态及其历史，可回到过去',
    'In development (npm run dev) every store is listed with its history, and can be put back.',
  ],
} as const satisfies Record<string, Words>;
