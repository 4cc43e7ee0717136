import type { Words } from '#shared/text';

/** What the screens of workflows say beyond their fields. */
export const workflowWords = {
  draw: ['编排', 'Draw'],
  runs: ['运行记录', 'Runs'],
  run: ['运行', 'Run'],
  begun: ['工作流已开始运行', 'The workflow runs'],
  graph: ['工作流图', 'Graph'],
  node: ['节点', 'Node'],
  after: ['前置节点', 'Waits for'],
  addNode: ['添加任务节点', 'Add a job'],
  remove: ['移除', 'Remove'],
  removeNode: ['移除 {name}', 'Remove {name}'],
  empty: ['还没有节点，请先添加任务', 'There are no nodes yet. Add a job.'],
  hint: [
    '点击节点选中，再点击另一节点连线或断开；拖动到另一节点亦可，Delete 移除。下表可用键盘完成同样的操作。',
    'Choose a node, then another to connect or part them, or drag from one to the other. Delete removes. The table below does the same.',
  ],
  circle: ['不能连成环', 'That would close a circle.'],
  save: ['保存', 'Save'],
  saved: ['保存成功', 'Saved'],
  failed: ['读取失败', 'It could not be read.'],
  noRuns: ['该工作流还没有运行过', 'The workflow has not run yet.'],
  stop: ['停止', 'Stop'],
  retry: ['重试失败节点', 'Try failed nodes again'],
  notBegun: ['未开始', 'Not begun'],
} as const satisfies Record<string, Words>;
