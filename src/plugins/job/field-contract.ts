import { type BooleanInt, Decimal, Integer, LongText, MultiSelect, Nullable, type Option, Reference, Secret, Select, Text, Url } from '#shared/fields';

const alertGroup = ['告警', 'Alerts'] as const;
const weekSeconds = 7 * 24 * 60 * 60;
const zeroIsUnlimited = ['0 表示不限', '0 for no limit'] as const;
/** Paths of the pickers for alert recipients and message templates. */
export const alertPaths = { people: '/api/blade-job/job-info/people', templates: '/api/blade-job/job-info/alert-templates' } as const;

/** Declares a number from 0 to a maximum that lists do not show. */
const countField = (
  title: readonly [string, string],
  group: readonly [string, string],
  more: { maximum: number; default?: number; unit?: readonly [string, string]; help?: readonly [string, string] },
) => Integer({ title, group, minimum: 0, default: 0, list: false, advanced: true, ...more });

/** Alert settings of a job: recipients, channels and frequency. */
export const alertFields = {
  notifyUserIds: Nullable(
    MultiSelect(
      Reference({
        title: ['告警接收人', 'Alert recipients'],
        onDelete: 'keep',
        from: { call: { path: alertPaths.people }, entity: 'user_account', search: 'name', lookup: 'ids' },
        list: false,
        advanced: true,
        group: alertGroup,
      }),
      {
        max: 50,
        comma: true,
      },
    ),
  ),
  alertThreshold: countField(['告警阈值', 'Alert threshold'], alertGroup, {
    maximum: 10_000,
    help: ['统计窗口内失败达到此次数才告警；0 为每次失败', 'Alert after this many failures within the window; 0 for every failure'],
  }),
  statisticWindowLen: countField(['统计窗口', 'Statistics window'], alertGroup, { maximum: weekSeconds, unit: ['秒', 's'], help: zeroIsUnlimited }),
  silenceWindowLen: countField(['沉默窗口', 'Alert cooldown'], alertGroup, {
    maximum: weekSeconds,
    unit: ['秒', 's'],
    help: ['告警后在此时间内不再告警', 'No further alerts within this time'],
  }),
  alertSms: Nullable(
    Text({
      title: ['告警短信', 'Text message'],
      maxLength: 64,
      list: false,
      suggestFrom: { path: alertPaths.templates },
      help: [
        '短信配置的编号，发往接收人的手机；模板变量只能是 job、reason、time，留空则不发',
        'Text message code. It is sent to the recipients’ phones; the template can only use job, reason and time. Leave empty to send none',
      ],
      advanced: true,
      group: alertGroup,
    }),
  ),
  alertUrl: Nullable(
    Url({
      title: ['告警 Webhook', 'Webhook'],
      list: false,
      help: ['失败时 POST 一段带签名的 JSON；留空则不发', 'Receives signed JSON by POST on failure. Leave empty to send none'],
      advanced: true,
      group: alertGroup,
    }),
  ),
  alertSecret: Nullable(
    Secret({
      title: ['签名密钥', 'Signing key'],
      visible: { field: 'alertUrl', filled: true },
      requiredWhen: {
        all: [
          { field: 'id', filled: false },
          { field: 'alertUrl', filled: true },
        ],
      },
      help: ['X-Marquee-Signature：时间戳、点与内容的 HMAC-SHA256', 'X-Marquee-Signature: HMAC-SHA256 of timestamp, dot and body'],
      advanced: true,
      group: alertGroup,
    }),
  ),
  alertQuiet: Nullable(
    Text({
      title: ['免打扰时段', 'Quiet hours'],
      maxLength: 11,
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d$',
      placeholder: ['22:00-08:00', '22:00-08:00'],
      list: false,
      help: [
        '此间短信与 Webhook 推迟到结束后发出，站内消息照常',
        'Text messages and webhooks are delayed until the end of this period; inbox messages are not',
      ],
      advanced: true,
      group: alertGroup,
    }),
  ),
};

const limitGroup = ['限制与重试', 'Limits and retries'] as const;
const workerGroup = ['机器', 'Workers'] as const;
const logGroup = ['日志', 'Log'] as const;

/** Builds options labelled with the names PowerJob uses. */
export const enumOptions = (values: Readonly<Record<string, number>>): Option<number>[] => Object.entries(values).map(([name, value]) => [value, [name, name]]);
const resourceField = (title: readonly [string, string], maximum: number, unit?: readonly [string, string]) =>
  Decimal({ title, group: workerGroup, advanced: true, minimum: 0, maximum, decimals: 2, default: 0, list: false, ...(unit ? { unit } : {}) });

/** Maximum of a run's time limit, in milliseconds. */
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Limits of a job: number of runs, duration, retries and eligible workers. */
export const limitFields = {
  maxInstanceNum: countField(['最大实例数', 'Max instances'], limitGroup, { maximum: 1000, help: zeroIsUnlimited }),
  concurrency: countField(['单机线程并发数', 'Concurrency'], limitGroup, { maximum: 256, default: 5 }),
  instanceTimeLimit: countField(['运行时间限制', 'Time limit'], limitGroup, { maximum: weekMs, unit: ['毫秒', 'ms'], help: zeroIsUnlimited }),
  instanceRetryNum: countField(['实例重试次数', 'Instance retries'], limitGroup, { maximum: 100 }),
  taskRetryNum: countField(['子任务重试次数', 'Task retries'], limitGroup, { maximum: 100 }),
  minCpuCores: resourceField(['最低 CPU 核心数', 'Min CPU cores'], 1024),
  minMemorySpace: resourceField(['最低内存', 'Min memory'], 65_536, ['GB', 'GB']),
  minDiskSpace: resourceField(['最低磁盘空间', 'Min disk space'], 1_000_000, ['GB', 'GB']),
  designatedWorkers: Nullable(
    Text({
      title: ['指定机器', 'Designated workers'],
      maxLength: 1000,
      list: false,
      help: ['机器名，多个以逗号分隔；留空则不限', 'Worker names separated by commas. Leave empty for any worker'],
      advanced: true,
      group: workerGroup,
    }),
  ),
  maxWorkerCount: countField(['最大机器数', 'Max workers'], workerGroup, { maximum: 1000, help: zeroIsUnlimited }),
};

/** Log settings of a job, and settings that only PowerJob uses. */
export const logFields = {
  logType: Select({
    title: ['日志类型', 'Log type'],
    options: enumOptions({ ONLINE: 1, LOCAL: 2, STDOUT: 3, LOCAL_AND_ONLINE: 4, NULL: 999 }),
    default: 1,
    list: false,
    advanced: true,
    group: logGroup,
  }),
  logLevel: Select({
    title: ['日志级别', 'Log level'],
    options: enumOptions({ DEBUG: 1, INFO: 2, WARN: 3, ERROR: 4, OFF: 99 }),
    default: 2,
    list: false,
    advanced: true,
    group: logGroup,
  }),
  extra: Nullable(LongText({ title: ['扩展字段', 'Extra'], maxLength: 4000, list: false, advanced: true, group: logGroup })),
};

/** Field that enables the schedule of a job or a workflow; a disabled one can still be run on request. */
export const enabledField = {
  title: ['是否开启', 'Enabled'],
  labels: [
    ['暂停', 'Paused'],
    ['开启', 'Enabled'],
  ],
  default: 1,
  search: true,
  clearable: true,
  tones: { 0: 'neutral', 1: 'good' },
} as const satisfies Parameters<typeof BooleanInt>[0];
