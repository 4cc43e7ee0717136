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
