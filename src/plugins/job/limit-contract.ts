import { Decimal, LongText, Nullable, type Option, Select, Text } from '#shared/fields';
import { count, unlimited } from './alert-contract.ts';

const limits = ['限制与重试', 'Limits and retries'] as const;
const workers = ['机器', 'Workers'] as const;
const logs = ['日志', 'Log'] as const;

/** Builds options labelled with the names PowerJob uses. */
export const named = (values: Readonly<Record<string, number>>): Option<number>[] => Object.entries(values).map(([name, value]) => [value, [name, name]]);
const size = (title: readonly [string, string], maximum: number, unit?: readonly [string, string]) =>
  Decimal({ title, group: workers, minimum: 0, maximum, decimals: 2, default: 0, list: false, ...(unit ? { unit } : {}) });

/** Maximum of a run's time limit, in milliseconds. */
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Limits of a job: number of runs, duration and suitable workers. */
export const limitFields = {
  maxInstanceNum: count(['最大实例数', 'Max instances'], limits, { maximum: 1000, help: unlimited }),
  concurrency: count(['单机线程并发数', 'Concurrency'], limits, { maximum: 256, default: 5 }),
  instanceTimeLimit: count(['运行时间限制', 'Time limit'], limits, { maximum: weekMs, unit: ['毫秒', 'ms'], help: unlimited }),
  instanceRetryNum: count(['实例重试次数', 'Instance retries'], limits, { maximum: 100 }),
  taskRetryNum: count(['子任务重试次数', 'Task retries'], limits, { maximum: 100 }),
  minCpuCores: size(['最低 CPU 核心数', 'Min CPU cores'], 1024),
  minMemorySpace: size(['最低内存', 'Min memory'], 65_536, ['GB', 'GB']),
  minDiskSpace: size(['最低磁盘空间', 'Min disk space'], 1_000_000, ['GB', 'GB']),
  designatedWorkers: Nullable(
    Text({
      title: ['指定机器', 'Designated workers'],
      maxLength: 1000,
      list: false,
      help: ['机器名，多个以逗号分隔；留空则不限', 'Worker names separated by commas. Leave empty for any worker'],
      group: workers,
    }),
  ),
  maxWorkerCount: count(['最大机器数', 'Max workers'], workers, { maximum: 1000, help: unlimited }),
};

/** Log settings of a job, and settings that only PowerJob uses. */
export const logFields = {
  logType: Select({
    title: ['日志类型', 'Log type'],
    options: named({ ONLINE: 1, LOCAL: 2, STDOUT: 3, LOCAL_AND_ONLINE: 4, NULL: 999 }),
    default: 1,
    list: false,
    group: logs,
  }),
  logLevel: Select({
    title: ['日志级别', 'Log level'],
    options: named({ DEBUG: 1, INFO: 2, WARN: 3, ERROR: 4, OFF: 99 }),
    default: 2,
    list: false,
    group: logs,
  }),
  extra: Nullable(LongText({ title: ['扩展字段', 'Extra'], maxLength: 4000, list: false, group: logs })),
};
