import { DateTime, Text } from '../contract/fields.ts';

/** Field with the time of a log entry. */
export const logTimeFields = { createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }) };

/** Fields that identify the server that wrote a log entry. */
export const logServerFields = {
  serviceId: Text({ title: ['服务', 'Service'], maxLength: 64, list: false }),
  serverHost: Text({ title: ['服务器', 'Server'], list: false }),
  serverIp: Text({ title: ['服务器地址', 'Server address'], maxLength: 64, list: false }),
  env: Text({ title: ['环境', 'Environment'], maxLength: 32, list: false }),
};
