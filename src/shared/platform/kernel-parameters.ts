import { choiceParameter, type IntegerParameter, integerParameter, type Parameter, textParameter } from '../contract/parameters.ts';
import type { LocalizedText } from '../text/text.ts';

const accounts = ['账号与登录', 'Accounts and sign-in'] as const;
const files = ['文件', 'Files'] as const;
const messages = ['短信', 'Text messages'] as const;
const logs = ['日志', 'Logs'] as const;
const megabytes = ['MB', 'MB'] as const;
const days = ['天', 'days'] as const;

/** Contact of the platform, key `platform.contact`. */
export const platformContact = textParameter({
  key: 'platform.contact',
  group: ['平台', 'Platform'],
  title: ['平台联系方式', 'Platform contact'],
  help: ['租户停用或到期后，登录时显示此联系方式', 'Shown at sign-in when the tenant is suspended or has expired'],
  preset: '',
});
/** Consecutive failed sign-ins from one address before it is locked out of the account, key `account.failCount`. */
export const failCount = integerParameter({
  key: 'account.failCount',
  group: accounts,
  title: ['登录失败锁定次数', 'Failed sign-ins before lockout'],
  help: [
    '同一来源对同一账号连续登录失败达到此次数后锁定 30 分钟',
    'After this many failed sign-ins from one source, the source is locked out of the account for 30 minutes',
  ],
  preset: 5,
  minimum: 1,
  maximum: 100,
});
/** Validity of a one-time password in days, key `account.initPasswordDays`. */
export const initialPasswordDays = integerParameter({
  key: 'account.initPasswordDays',
  group: accounts,
  title: ['初始密码有效天数', 'Initial password validity'],
  help: [
    '新建、导入与重置用户时生成的一次性密码，超过此天数未登录修改即失效',
    'One-time passwords of new, imported and reset users expire after this many days unless changed',
  ],
  preset: 7,
  minimum: 1,
  maximum: 365,
  unit: days,
});
/** Self-registration of users, key `account.registerUser`. */
export const registerUser = choiceParameter({
  key: 'account.registerUser',
  group: accounts,
  title: ['开放注册', 'Registration'],
  help: ['可申请账号的用户', 'Users who can request an account'],
  preset: '',
  options: [
    ['', ['仅第三方登录用户', 'Third-party sign-in users only']],
    ['true', ['开放', 'Open']],
    ['false', ['关闭', 'Closed']],
  ],
});
/** Days for which a key signs access tokens, key `account.signingKeyDays`. */
export const signingKeyDays = integerParameter({
  key: 'account.signingKeyDays',
  group: accounts,
  title: ['令牌签名密钥更换周期', 'Signing key rotation'],
  help: [
    '访问令牌的签名密钥使用此天数后自动更换，已签发的令牌继续有效',
    'The key that signs access tokens is replaced after this many days; tokens that it has signed stay valid',
  ],
  preset: 30,
  minimum: 1,
  maximum: 365,
  unit: days,
});
const smsLimit = (definition: Pick<IntegerParameter, 'key' | 'title' | 'help' | 'preset' | 'isPerTenant'>) =>
  integerParameter({ group: messages, minimum: 1, maximum: 1_000_000, ...definition });

/** Limit of text messages per phone number, key `sms.perPhone`. */
export const smsPerPhone = smsLimit({
  key: 'sms.perPhone',
  title: ['每号码每小时短信数', 'Messages per phone per hour'],
  help: ['每个手机号每小时可接收的验证码数量', 'Codes a phone can receive per hour'],
  preset: 5,
});
/** Limit of text messages per IP address, key `sms.perAddress`. */
export const smsPerAddress = smsLimit({
  key: 'sms.perAddress',
  title: ['每地址每小时短信数', 'Messages per IP address per hour'],
  help: ['每个网络地址每小时可请求的验证码数量', 'Codes an IP address can request per hour'],
  preset: 20,
});
/** Limit of text messages per tenant, key `sms.perTenant`. */
export const smsPerTenant = smsLimit({
  key: 'sms.perTenant',
  title: ['每租户每小时短信数', 'Messages per tenant per hour'],
  help: ['每个租户每小时可发送的验证码数量', 'Codes a tenant can send per hour'],
  preset: 1000,
  isPerTenant: true,
});
/** Maximum size of an upload in megabytes, key `file.maxMegabytes`. */
export const maxMegabytes = integerParameter({
  key: 'file.maxMegabytes',
  group: files,
  title: ['上传大小上限', 'Max upload size'],
  help: ['单个文件的大小上限', 'Maximum size of a file'],
  preset: 20,
  minimum: 1,
  maximum: 100,
  unit: megabytes,
});
/** Maximum size of a multipart upload in megabytes, key `file.maxPartedMegabytes`. */
export const maxPartedMegabytes = integerParameter({
  key: 'file.maxPartedMegabytes',
  group: files,
  title: ['分片上传大小上限', 'Max multipart upload size'],
  help: ['分片上传的单个文件的大小上限', 'Maximum size of a file uploaded in parts'],
  preset: 2048,
  minimum: 1,
  unit: megabytes,
});
/** Storage quota of a tenant in megabytes, key `file.tenantMegabytes`. */
export const tenantMegabytes = integerParameter({
  key: 'file.tenantMegabytes',
  group: files,
  title: ['租户存储额度', 'Storage per tenant'],
  help: ['每个租户的文件总量上限，0 表示不限', 'Total size of a tenant’s files; 0 for no limit'],
  preset: 0,
  unit: megabytes,
  isPerTenant: true,
});
const logRetention = (key: string, [zh, en]: LocalizedText) =>
  integerParameter({
    key,
    group: logs,
    title: [`${zh}保留天数`, `${en} log retention`],
    help: [`更早的${zh}按月删除`, `Older ${en === 'API' ? en : en.toLowerCase()} logs are deleted by month`],
    preset: 180,
    minimum: 7,
    maximum: 36_500,
    unit: days,
  });

/** Retention of API logs in days, key `log.apiKeepDays`. */
export const apiLogDays = logRetention('log.apiKeepDays', ['接口日志', 'API']);
/** Retention of error logs in days, key `log.errorKeepDays`. */
export const errorLogDays = logRetention('log.errorKeepDays', ['错误日志', 'Error']);
/** Retention of system logs in days, key `log.usualKeepDays`. */
export const systemLogDays = logRetention('log.usualKeepDays', ['通用日志', 'System']);

/** Days for which deleted rows can be restored from the recycle bins of lists, key `data.recycleDays`. */
export const recycleDays = integerParameter({
  key: 'data.recycleDays',
  group: ['数据', 'Data'],
  title: ['回收站保留天数', 'Recycle bin retention'],
  help: [
    '已删除的数据在此天数内可从列表的回收站恢复，0 表示不提供回收站',
    'Deleted records can be restored from the recycle bin of their list for this many days; 0 turns the recycle bins off',
  ],
  preset: 30,
  minimum: 0,
  maximum: 3650,
  unit: days,
});

/** Retention of the history of records in days, key `log.historyKeepDays`. */
export const recordHistoryDays = integerParameter({
  key: 'log.historyKeepDays',
  group: logs,
  title: ['变更历史保留天数', 'Record history retention'],
  help: ['更早的变更历史按月删除', 'Older changes of records are deleted by month'],
  preset: 1095,
  minimum: 30,
  maximum: 36_500,
  unit: days,
});

/** Declares the days after which personal data of one kind is erased, which each tenant can set; `record` names it, and `event` the time from which the days count. */
export const personalRetentionDays = (
  definition: Pick<IntegerParameter, 'key' | 'preset'> & { readonly record: LocalizedText; readonly event: LocalizedText },
): IntegerParameter => {
  const { key, preset, record, event } = definition;
  return integerParameter({
    key,
    preset,
    group: ['个人数据', 'Personal data'],
    title: [`${record[0]}保留天数`, `${record[1]} retention`],
    help: [`${event[0]}超过此天数后，其中的个人数据由每日作业清除`, `A daily job erases their personal data this many days after ${event[1]}`],
    minimum: 30,
    maximum: 36_500,
    unit: days,
    isPerTenant: true,
  });
};

/** All parameters that the server kernel reads. */
export const kernelParameters: readonly Parameter[] = [
  platformContact,
  failCount,
  initialPasswordDays,
  registerUser,
  signingKeyDays,
  smsPerPhone,
  smsPerAddress,
  smsPerTenant,
  maxMegabytes,
  maxPartedMegabytes,
  tenantMegabytes,
  apiLogDays,
  errorLogDays,
  systemLogDays,
  recycleDays,
  recordHistoryDays,
];
