import type { Words } from '#shared/text';
import type { TaskStep } from '../contract.ts';

/** What only the console says of tasks and their audit. */
export const consoleWords = {
  publish: ['发布', 'Publish'],
  publishQuestion: [
    '发布后即可被领取。请确认「{title}」的要求、单价与数量无误。',
    'Once published, “{title}” can be claimed. Check what it asks for, its price and quantity.',
  ],
  publishMany: ['确定发布所选的 {count} 个任务？', 'Publish the selected tasks ({count})?'],
  takeDown: ['下架', 'Take down'],
  takeDownQuestion: ['下架后不能再领取，已领取的仍可提交。', 'Nobody can claim any more; whoever has claimed may still hand in.'],
  copy: ['复制', 'Copy'],
  copied: ['已复制为草稿', 'Copied as a draft'],
  timeline: ['动态', 'Timeline'],
  timelineOf: ['任务动态：{title}', 'Timeline of {title}'],
  bySystem: ['系统', 'The server'],
  done: ['操作成功', 'Done'],
  cancel: ['取消', 'Cancel'],
  figures: ['审核统计', 'Figures'],
  today: ['今日', 'Today'],
  days: ['近 {count} 天', 'Last {count} days'],
  auditor: ['审核人', 'Auditor'],
  approved: ['通过', 'Approved'],
  rejected: ['驳回', 'Rejected'],
  share: ['通过率', 'Approval rate'],
  nobody: ['没有审核记录', 'Nothing was audited'],
} as const satisfies Record<string, Words>;

export const stepWords: Readonly<Record<TaskStep, Words>> = {
  created: ['创建', 'Created'],
  edited: ['修改', 'Edited'],
  handedIn: ['提交，等待发布', 'Handed in'],
  published: ['发布', 'Published'],
  takenDown: ['下架', 'Taken down'],
  finished: ['完成', 'Finished'],
};

/** What the workbench says. */
export const workbenchWords = {
  heading: ['任务审核', 'Audit'],
  pending: ['待审核 {count}', '{count} waiting'],
  manyPending: ['待审核 10,000+', 'More than 10,000 waiting'],
  held: ['他人审核中 {count}', '{count} with others'],
  today: ['今日通过 {passed} · 驳回 {rejected}', 'Today: {passed} approved, {rejected} rejected'],
  undo: ['撤销', 'Undo'],
  undone: ['已撤销', 'Taken back'],
  approved: ['已通过「{title}」', 'Approved: {title}'],
  rejected: ['已驳回「{title}」', 'Rejected: {title}'],
  decidedMany: ['已审核 {count} 条', '{count} decided'],
  approve: ['通过', 'Approve'],
  approveMany: ['通过所选 {count} 条', 'Approve selected ({count})'],
  reject: ['驳回', 'Reject'],
  rejectMany: ['驳回所选 {count} 条', 'Reject selected ({count})'],
  later: ['稍后', 'Later'],
  reasons: ['驳回原因', 'Reason'],
  otherReason: ['其他原因，回车驳回', 'Another reason; Enter rejects'],
  queue: ['待审列表', 'Queue'],
  choose: ['选择「{title}」', 'Select {title}'],
  chooseAll: ['全选', 'Select all'],
  requirement: ['任务要求', 'What is asked for'],
  steps: ['操作步骤', 'Steps'],
  details: ['详细说明', 'In detail'],
  proof: ['提交内容', 'What was handed in'],
  worker: ['提交人', 'By'],
  account: ['平台账号', 'Account'],
  link: ['作品链接', 'Link'],
  content: ['说明', 'Words'],
  time: ['提交时间', 'Handed in'],
  amount: ['金额', 'Amount'],
  twins: ['疑似重复', 'Seen before'],
  twinImage: ['图片与此前提交相同', 'The same picture'],
  twinLink: ['链接与此前提交相同', 'The same link'],
  noImages: ['没有截图', 'No pictures'],
  imageOf: ['截图 {number}/{count}', 'Picture {number} of {count}'],
  brokenImage: ['图片无法显示', 'This picture cannot be shown'],
  zoomIn: ['放大', 'Zoom in'],
  zoomOut: ['缩小', 'Zoom out'],
  rotate: ['旋转', 'Rotate'],
  fit: ['适应', 'Fit'],
  keys: ['快捷键', 'Keys'],
  empty: ['队列已清空', 'The queue is clear'],
  emptyHint: ['有新的提交时会自动出现', 'What is handed in appears here by itself'],
  failed: ['待审内容加载失败', 'Could not load the queue'],
  retry: ['重试', 'Try again'],
  loading: ['加载中', 'Loading'],
} as const satisfies Record<string, Words>;

/** What proof is rejected for where a tenant has no business dictionary `task_reject`. */
export const usualReasons: readonly Words[] = [
  ['内容与任务要求不符', 'It is not what the task asks for'],
  ['截图不清晰或不完整', 'The picture is unclear or cut off'],
  ['链接无法打开', 'The link does not open'],
  ['重复提交', 'It was handed in before'],
  ['不是本人账号发布', 'It is from somebody else’s account'],
];

/** The keys of the workbench, as its help shows them. */
export const keyWords: readonly (readonly [keys: string, does: Words])[] = [
  ['A', ['通过', 'Approve']],
  ['1 – 9', ['按该原因驳回', 'Reject for this reason']],
  ['R', ['填写驳回原因', 'Write a reason']],
  ['S', ['稍后再审', 'Leave it for later']],
  ['U', ['撤销上一次', 'Undo the last decision']],
  ['↑ ↓', ['上一条、下一条', 'The one before, after']],
  ['X', ['选择', 'Select']],
  ['← →', ['上一张、下一张图', 'Another picture']],
  ['+ − 0', ['放大、缩小、适应', 'Zoom in, out, fit']],
  ['T', ['旋转', 'Rotate']],
  ['O', ['打开链接', 'Open the link']],
];
