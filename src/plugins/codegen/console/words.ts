import type { Words } from '#shared/text';

export const datasourceWords = {
  test: ['测试连接', 'Test'],
  testing: ['正在连接 {name}…', 'Connecting to {name} …'],
  works: ['连接正常（{milliseconds} 毫秒）：{detail}', 'It works ({milliseconds} ms): {detail}'],
  fails: ['连接失败：{detail}', 'It does not work: {detail}'],
} as const satisfies Record<string, Words>;

export const modelWords = {
  order: ['顺序', 'Order'],
  up: ['上移 {column}', 'Move {column} up'],
  down: ['下移 {column}', 'Move {column} down'],
  moved: ['{column} 已移到第 {place} 位，共 {count} 位', '{column} is now {place} of {count}'],
  adopt: ['导入表', 'Take tables over'],
  adoptHint: ['选择的表各成为一个模型，字段按列推断', 'Each chosen table becomes a model; its fields are guessed from its columns'],
  source: ['数据源', 'Data source'],
  find: ['按表名或注释查找', 'Find by name or comment'],
  all: ['全选', 'All'],
  take: ['导入 {count} 张表', 'Take {count} tables over'],
  taken: ['已导入 {added} 张表', '{added} tables taken over'],
  takenBefore: ['已导入 {added} 张表，{skipped} 张已有模型', '{added} tables taken over, {skipped} had a model'],
  configure: ['加入代码生成', 'Generate code'],
  configured: ['已加入 {added} 个，请到“代码生成”查看', '{added} added. See the code generator'],
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

export const codeWords = {
  preview: ['预览', 'Preview'],
  previewOf: ['预览：{name}', 'Preview of {name}'],
  files: ['文件', 'Files'],
  download: ['下载代码', 'Download'],
  copy: ['复制', 'Copy'],
  copied: ['复制成功', 'Copied'],
  copyFile: ['复制此文件', 'Copy this file'],
  fileCopied: ['文件内容已复制', 'The file is copied'],
  copyFailed: ['浏览器不允许复制', 'The browser does not allow copying'],
  write: ['写入源码', 'Write into the sources'],
  writeMine: ['写入，冲突处保留手工修改', 'Write, keeping edits by hand where they conflict'],
  generated: ['代码生成成功，写入 {count} 个文件', 'Generated: {count} files were written'],
  conflicts: ['{count} 个文件有冲突', 'Files that conflict: {count}'],
  byHand: ['冲突：手工修改（写入时保留）', 'Conflict: edited by hand (kept)'],
  byGenerator: ['冲突：新生成（不写入）', 'Conflict: generated now (not written)'],
  conflictEnds: ['冲突结束', 'End of the conflict'],
} as const satisfies Record<string, Words>;

/** What becomes of a file. */
export const fileStates = {
  new: ['新增', 'New'],
  same: ['无变化', 'As it is'],
  changed: ['更新', 'Changed'],
  merged: ['已合并', 'Merged'],
  conflict: ['冲突', 'Conflict'],
} as const satisfies Record<string, Words>;
