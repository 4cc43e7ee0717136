import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  code: ['代码模块', 'module'],
  datasource: ['数据源', 'data source'],
  model: ['数据模型', 'data model'],
} as const satisfies Record<string, LocalizedText>;

export const datasourceMessages = {
  test: ['测试连接', 'Test connection'],
  testing: ['正在连接 {name}…', 'Connecting to {name}…'],
  connected: ['连接正常（{milliseconds} 毫秒）：{detail}', 'Connected ({milliseconds} ms): {detail}'],
  connectionFailed: ['连接失败：{detail}', 'Connection failed: {detail}'],
} as const satisfies Record<string, LocalizedText>;

export const modelMessages = {
  order: ['顺序', 'Sort order'],
  up: ['上移 {column}', 'Move {column} up'],
  down: ['下移 {column}', 'Move {column} down'],
  moved: ['{column} 已移到第 {position} 位，共 {count} 位', '{column} is now {position} of {count}'],
  importTables: ['导入表', 'Import tables'],
  importHint: ['每张表创建一个模型，字段按列推断', 'A model is created from each table. Fields are inferred from its columns.'],
  source: ['数据源', 'Data source'],
  find: ['按表名或注释查找', 'Find by name or comment'],
  all: ['全选', 'Select all'],
  importCount: ['导入 {count} 张表', 'Import {count} tables'],
  imported: ['已导入 {added} 张表', 'Tables imported: {added}'],
  importedAndSkipped: ['已导入 {added} 张表，{skipped} 张已有模型', 'Tables imported: {added}. Skipped because a model exists: {skipped}'],
  addToGenerator: ['加入代码生成', 'Generate code'],
  addedToGenerator: ['已加入 {added} 个，请到「代码生成」查看', 'Added: {added}. Open the code generator to continue.'],
  noTables: ['没有表', 'No tables'],
  fields: ['字段', 'Fields'],
  fieldsOf: ['字段：{name}', 'Fields of {name}'],
  column: ['列', 'Column'],
  fieldLabel: ['{column}：{field}', '{column}: {field}'],
  reload: ['重新读取表', 'Reload table'],
  reloaded: ['已按表更新：新增 {added} 列，减少 {removed} 列', 'Updated from the table. Columns added: {added}, removed: {removed}'],
  save: ['保存', 'Save'],
  saved: ['字段已保存', 'Fields saved'],
} as const satisfies Record<string, LocalizedText>;

export const codeMessages = {
  preview: ['预览', 'Preview'],
  previewOf: ['预览：{name}', 'Preview of {name}'],
  files: ['文件', 'Files'],
  download: ['下载代码', 'Download code'],
  copy: ['复制', 'Copy'],
  copied: ['复制成功', 'Copied'],
  copyFile: ['复制此文件', 'Copy file'],
  fileCopied: ['文件内容已复制', 'File copied'],
  copyFailed: ['复制失败，浏览器不允许复制', 'Could not copy. The browser does not allow it.'],
  write: ['写入源码', 'Write to source code'],
  writeMine: ['写入，冲突处保留手工修改', 'Write and keep manual edits on conflict'],
  generated: ['代码生成成功，写入 {count} 个文件', 'Code generated. Files written: {count}'],
  conflicts: ['{count} 个文件有冲突', 'Conflicting files: {count}'],
  byHand: ['冲突：手工修改（写入时保留）', 'Conflict: manual edits (kept)'],
  byGenerator: ['冲突：新生成（不写入）', 'Conflict: newly generated (not written)'],
  conflictEnds: ['冲突结束', 'End of conflict'],
} as const satisfies Record<string, LocalizedText>;

/** Labels of file states. */
export const fileStates = {
  new: ['新增', 'New'],
  same: ['无变化', 'Unchanged'],
  changed: ['更新', 'Changed'],
  merged: ['已合并', 'Merged'],
  conflict: ['冲突', 'Conflict'],
} as const satisfies Record<string, LocalizedText>;
