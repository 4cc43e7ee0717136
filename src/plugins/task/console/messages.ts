import type { LocalizedText } from '#shared/text';
import type { TimelineKind } from '../contract.ts';

/** Kinds of record in the titles of forms. */
export const nouns = {
  task: ['任务', 'task'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the task pages that only the console uses. */
export const consoleMessages = {
  publish: ['发布', 'Publish'],
  newTask: ['新建任务', 'New task'],
  save: ['保存', 'Save'],
  added: ['已新建任务', 'Task added'],
  takeDown: ['下架', 'Take down'],
  publishDone: ['已发布 {count} 个任务', 'Tasks published: {count}'],
  takeDownQuestion: [
    '确定下架「{name}」？下架后不能再领取，已领取的仍可提交。',
    'Take down “{name}”? It can no longer be claimed. Existing claims can still be submitted.',
  ],
  takeDownMany: [
    '确定下架所选的 {count} 个任务？下架后不能再领取，已领取的仍可提交。',
    'Take down the selected tasks ({count})? They can no longer be claimed. Existing claims can still be submitted.',
  ],
  takeDownDone: ['已下架 {count} 个任务', 'Tasks taken down: {count}'],
  copy: ['复制', 'Copy'],
  copied: ['已复制为草稿', 'Copied as draft'],
  timeline: ['动态', 'Timeline'],
  timelineOf: ['任务动态：{title}', 'Timeline: {title}'],
  bySystem: ['系统', 'System'],
  figures: ['审核统计', 'Statistics'],
  today: ['今日', 'Today'],
  days: ['近 {count} 天', 'Last {count} days'],
  auditor: ['审核人', 'Reviewer'],
  approved: ['通过', 'Approved'],
  rejected: ['驳回', 'Rejected'],
  share: ['通过率', 'Approval rate'],
  noReviews: ['暂无审核记录', 'No reviews yet'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the sheet that asks before tasks are published. */
export const publishMessages = {
  titleOne: ['发布任务', 'Publish task'],
  titleMany: ['发布 {count} 个任务', 'Publish tasks ({count})'],
  cost: ['费用', 'Cost'],
  advertiser: ['广告主', 'Advertiser'],
  available: ['可用资金', 'Available'],
  after: ['发布后可用', 'Available after'],
  cities: ['投放城市', 'Cities'],
  allCities: ['全部城市', 'All cities'],
  comma: ['、', ', '],
  end: ['结束时间', 'End'],
  noEnd: ['不限', 'No end'],
  tasks: ['任务', 'Tasks'],
  quantity: ['名额', 'Places'],
  places: ['{count} 个名额', 'Places: {count}'],
  placesLimited: ['{count} 个名额，每人限领 {limit} 份', 'Places: {count}, up to {limit} per person'],
  previewOf: ['小程序中的样子', 'As shown in the mini-app'],
  missing: ['还差 {missing}。', ' Short by {missing}.'],
  leftOut: ['另有 {count} 项不能发布，完成后列出原因。', 'Tasks that cannot be published: {count}. The reasons are shown afterwards.'],
  refused: ['「{name}」的资金不足，不能发布。请先登记收款或调整授信额度。', '{name} has insufficient funds. Record a receipt or raise the credit limit first.'],
  refusedInPart: ['「{name}」的资金不足，超出部分的任务不会发布。', '{name} has insufficient funds. Tasks that exceed the funds will not be published.'],
  warned: ['「{name}」的资金不足，付款前须先收款。', '{name} has insufficient funds. A receipt is needed before the work can be paid for.'],
  publish: ['发布', 'Publish'],
  cancel: ['取消', 'Cancel'],
} as const satisfies Record<string, LocalizedText>;

export const timelineMessages: Readonly<Record<TimelineKind, LocalizedText>> = {
  created: ['创建', 'Created'],
  edited: ['修改', 'Edited'],
  handedIn: ['提交，等待发布', 'Submitted'],
  published: ['发布', 'Published'],
  takenDown: ['下架', 'Taken down'],
  finished: ['完成', 'Completed'],
};

/** Texts of the workbench. */
export const workbenchMessages = {
  heading: ['任务审核', 'Review'],
  pending: ['待审核 {count}', '{count} pending'],
  manyPending: ['待审核 10,000+', '10,000+ pending'],
  leasedByOthers: ['他人审核中 {count}', '{count} with other reviewers'],
  today: ['今日通过 {passed} · 驳回 {rejected}', 'Today: {passed} approved, {rejected} rejected'],
  undo: ['撤销', 'Undo'],
  undone: ['已撤销', 'Undone'],
  approved: ['已通过「{title}」', 'Approved: {title}'],
  rejected: ['已驳回「{title}」', 'Rejected: {title}'],
  decidedMany: ['已审核 {count} 条', '{count} reviewed'],
  approve: ['通过', 'Approve'],
  approveMany: ['通过所选 {count} 条', 'Approve selected ({count})'],
  reject: ['驳回', 'Reject'],
  rejectMany: ['驳回所选 {count} 条', 'Reject selected ({count})'],
  later: ['稍后', 'Later'],
  readOnly: ['角色预览为只读：不能审核，也不占用队列。', 'Read-only in a role preview: nothing can be decided, and nothing is taken from the queue.'],
  reasons: ['驳回原因', 'Rejection reason'],
  otherReason: ['其他原因，按回车驳回', 'Other reason, press Enter to reject'],
  queue: ['待审列表', 'Queue'],
  select: ['选择「{title}」', 'Select {title}'],
  selectAll: ['全选', 'Select all'],
  requirement: ['任务要求', 'Requirements'],
  steps: ['操作步骤', 'Steps'],
  details: ['详细说明', 'Details'],
  proof: ['提交内容', 'Submission'],
  worker: ['提交人', 'Submitted by'],
  account: ['平台账号', 'Platform account'],
  link: ['作品链接', 'Link'],
  content: ['说明', 'Note'],
  time: ['提交时间', 'Submitted'],
  amount: ['金额', 'Amount'],
  duplicates: ['疑似重复', 'Possible duplicate'],
  sameImage: ['图片与此前提交相同', 'Same image as an earlier submission'],
  sameLink: ['链接与此前提交相同', 'Same link as an earlier submission'],
  noImages: ['没有截图', 'No screenshots'],
  imageOf: ['截图 {number}/{count}', 'Screenshot {number} of {count}'],
  brokenImage: ['图片无法显示', 'Could not show the image'],
  zoomIn: ['放大', 'Zoom in'],
  zoomOut: ['缩小', 'Zoom out'],
  rotate: ['旋转', 'Rotate'],
  resetView: ['适应', 'Fit'],
  shortcuts: ['快捷键', 'Shortcuts'],
  empty: ['队列已清空', 'All caught up'],
  emptyHint: ['新的提交会自动显示在这里', 'New submissions appear here automatically'],
  failed: ['待审内容加载失败', 'Could not load the queue'],
  retry: ['重试', 'Try again'],
  loading: ['加载中', 'Loading'],
} as const satisfies Record<string, LocalizedText>;

/** Default rejection reasons for tenants without the business dictionary `task_reject`. */
export const defaultReasons: readonly LocalizedText[] = [
  ['内容与任务要求不符', 'Does not meet the task requirements'],
  ['截图不清晰或不完整', 'Screenshot is unclear or incomplete'],
  ['链接无法打开', 'Link does not open'],
  ['重复提交', 'Duplicate submission'],
  ['不是本人账号发布', 'Not posted from own account'],
];

/** Keyboard shortcuts listed in the help of the workbench. */
export const shortcutHelp: readonly (readonly [keys: string, action: LocalizedText])[] = [
  ['A', ['通过', 'Approve']],
  ['1 – 9', ['按该原因驳回', 'Reject for this reason']],
  ['R', ['输入驳回原因', 'Enter a reason']],
  ['S', ['稍后再审', 'Review later']],
  ['U', ['撤销上一次', 'Undo last decision']],
  ['↑ ↓', ['上一条、下一条', 'Previous, next']],
  ['X', ['选择', 'Select']],
  ['← →', ['上一张、下一张图', 'Previous, next screenshot']],
  ['+ − 0', ['放大、缩小、适应', 'Zoom in, out, fit']],
  ['T', ['旋转', 'Rotate']],
  ['O', ['打开链接', 'Open link']],
];

/** Texts of review records. */
export const recordMessages = {
  emptyTitle: ['暂无审核记录', 'No review records yet'],
  emptyHint: ['提交的凭证和审核结果会显示在这里。', 'Submitted proof and its reviews appear here.'],
} as const satisfies Record<string, LocalizedText>;
