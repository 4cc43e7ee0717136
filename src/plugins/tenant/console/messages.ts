import { basePath } from '#kernel';
import { type LocalizedText, localize } from '#shared/text';
import type { TenantRow } from '../contract.ts';

/** Kinds of record in the titles of forms. */
export const nouns = {
  package: ['租户产品包', 'tenant package'],
  tenant: ['租户', 'tenant'],
} as const satisfies Record<string, LocalizedText>;

/** Reply to creating a tenant: the row with the account and password of its first administrator. */
export type CreatedTenant = TenantRow & { readonly account?: string; readonly password?: string };

const lines: readonly LocalizedText[] = [
  ['您好，「{tenantName}」的管理后台已开通。', 'Hello, the console of {tenantName} is ready.'],
  ['登录地址：{address}', 'Address: {address}'],
  ['租户编号：{tenantId}', 'Tenant code: {tenantId}'],
  ['管理员账号：{account}', 'Administrator: {account}'],
  ['一次性密码：{password}（首次登录须修改）', 'One-time password: {password} (must be changed at first sign-in)'],
];
const until: LocalizedText = ['有效期至：{expireTime}', 'Valid until: {expireTime}'];
const unlimited: LocalizedText = ['有效期：长期有效', 'Valid until: no expiry'];

/** Composes the welcome message for a new tenant in both languages. */
export function welcomeMessage({ tenantName, tenantId, account = '', password = '', expireTime, domain }: CreatedTenant, origin: string): string {
  const values = { tenantName, tenantId, account, password, expireTime: expireTime ?? '', address: (domain ? `https://${domain}` : origin) + basePath };
  const textIn = (language: 'zh' | 'en') => [...lines, expireTime ? until : unlimited].map((line) => localize(line, language, values)).join('\n');
  return `${textIn('zh')}\n\n${textIn('en')}`;
}

/** Texts of the page of tenants. */
export const tenantMessages = {
  noDeleted: ['没有已删除的租户', 'No deleted tenants'],
  noDeletedHint: ['删除的租户在清除前可从这里恢复。', 'Deleted tenants can be restored here until they are purged.'],
  created: ['租户已创建', 'Tenant created'],
  code: ['租户编号', 'Tenant code'],
  account: ['管理员账号', 'Administrator account'],
  password: ['初始密码', 'Initial password'],
  unlimited: ['不限制', 'No limit'],
  deleted: ['已删除租户', 'Deleted tenants'],
  restore: ['恢复', 'Restore'],
  restored: ['已恢复', 'Restored'],
  active: ['正常', 'Active'],
  expired: ['已到期', 'Expired'],
  suspend: ['停用', 'Suspend'],
  suspendTitle: ['确定停用「{name}」？', 'Suspend “{name}”?'],
  suspendQuestion: [
    '其用户将立即退出，接口拒绝访问，定时作业暂停。可随时恢复。',
    'Its users are signed out immediately, API requests are rejected and jobs are paused. You can resume it at any time.',
  ],
  suspended: ['已停用', 'Suspended'],
  resume: ['恢复使用', 'Resume'],
  resumed: ['已恢复使用', 'Resumed'],
  remove: ['删除', 'Delete'],
  removeTitle: ['确定删除租户「{name}」？', 'Delete tenant “{name}”?'],
  removeHint: [
    '以下数据将一并停用，30 天内可恢复，之后永久清除。',
    'The following data is disabled with the tenant. It can be restored within 30 days and is then permanently deleted.',
  ],
  typeCode: ['输入租户编号 {code} 以确认', 'Type the tenant code {code} to confirm'],
  counting: ['正在统计…', 'Counting…'],
  countFailed: ['统计失败，请重试', 'Could not load the statistics. Try again.'],
  removed: ['删除成功', 'Deleted'],
  undo: ['撤销', 'Undo'],
  retry: ['重试', 'Try again'],
  welcomeMessage: ['开通通知', 'Welcome message'],
} as const satisfies Record<string, LocalizedText>;
