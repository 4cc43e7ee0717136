import type { LocalizedText } from '#shared/text';

/** Texts of the workflow pages other than field titles. */
export const workflowMessages = {
  editGraph: ['编排', 'Edit graph'],
  runs: ['运行记录', 'Runs'],
  run: ['运行', 'Run'],
  started: ['工作流已开始运行', 'Workflow started'],
  graph: ['工作流图', 'Graph'],
  node: ['节点', 'Node'],
  dependsOn: ['前置节点', 'Depends on'],
  addNode: ['添加作业节点', 'Add job'],
  remove: ['移除', 'Remove'],
  removeNode: ['移除 {name}', 'Remove {name}'],
  empty: ['还没有节点，请先添加作业', 'No nodes yet. Add a job first.'],
  hint: [
    '点击节点选中，再点击另一节点连线或断开；拖动到另一节点亦可，Delete 移除。下表可用键盘完成同样的操作。',
    'Select a node, then another to connect or disconnect them, or drag from one to the other. Press Delete to remove a node. The table below does the same with the keyboard.',
  ],
  cycle: ['不能形成环', 'This would create a cycle.'],
  save: ['保存', 'Save'],
  saved: ['保存成功', 'Saved'],
  noRuns: ['该工作流还没有运行过', 'The workflow has not run yet.'],
  stop: ['停止', 'Stop'],
  retry: ['重试失败节点', 'Retry failed nodes'],
  notStarted: ['未开始', 'Not started'],
} as const satisfies Record<string, LocalizedText>;
