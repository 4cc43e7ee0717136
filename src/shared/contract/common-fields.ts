import { BooleanInt, DateTime, Integer, Nullable, Text } from './fields.ts';

/** Creation and update time under the names that BladeX-compatible clients use in the advertising plugins. The server sets them and ignores values of a form. */
export const timestamps = {
  created_at: DateTime({ title: ['创建时间', 'Created'], form: false, list: false }),
  updated_at: Nullable(DateTime({ title: ['更新时间', 'Updated'], form: false, list: false })),
};

/** Position of a row among its siblings, in ascending order. */
export const sort = Integer({ title: ['排序', 'Sort order'], minimum: 0, default: 1, sort: true });

/** 1 for enabled, 0 for disabled. A disabled row is no longer offered, and existing references to it stay. */
export const enabledFlag = BooleanInt({
  title: ['状态', 'Status'],
  labels: [
    ['停用', 'Disabled'],
    ['启用', 'Enabled'],
  ],
  tones: { 0: 'neutral', 1: 'good' },
  default: 1,
  search: true,
});

/** Field with the time of a log entry. */
export const logTimeFields = { createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }) };

/** Fields that identify the server that wrote a log entry. */
export const logServerFields = {
  serviceId: Text({ title: ['服务', 'Service'], maxLength: 64, list: false }),
  serverHost: Text({ title: ['服务器', 'Server'], list: false }),
  serverIp: Text({ title: ['服务器地址', 'Server address'], maxLength: 64, list: false }),
  env: Text({ title: ['环境', 'Environment'], maxLength: 32, list: false }),
};
