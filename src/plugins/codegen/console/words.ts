import type { Words } from '#shared/text';

export const datasourceWords = {
  test: ['测试连接', 'Test'],
  testing: ['正在连接 {name}…', 'Connecting to {name} …'],
  works: ['连接正常（{milliseconds} 毫秒）：{detail}', 'It works ({milliseconds} ms): {detail}'],
  fails: ['连接失败：{detail}', 'It does not work: {detail}'],
} as const satisfies Record<string, Words>;

export const modelWords = {
  adopt: ['导入表', 'Take tables over'],
  adoptHint: ['选择的表各成为一个模型，字段按列推断', 'Each chosen table becomes a model; its fields are guessed from its columns'],
  source: ['数据源', 'Data source'],
  find: ['按表名或注释查找', 'Find by name or comment'],
  all: ['全选', 'All'],
  take: ['导入 {count} 张表', 'Take {count} tables over'],
  taken: ['已导入 {added} 张表', '{added} tables taken over'],
  takenBefore: ['已导入 {added} 张表，{skipped} 张已有模型', '{added} tables taken over, {skipped} had a model'],
  noTables: ['没有表', 'No tables'],
  fields: ['字段', 'Fields'],
  fieldsOf: ['字段：{name}', 'Fields of {name}'],
  column: ['列', 'Column'],
  of: ['{column}：{what}', '{column}: {what}'],
  read: ['重新读取表', 'Read the table again'],
  readDone: ['已按表更新：新增 {added} 列，减少 {gone} 列', 'As the table is now: {added} columns more, {gone} less'],
  save: ['保存', 'Save'],
  saved: ['字段已保存', 'The fields were saved'],
} as const satisfies Record<string, Words>;
