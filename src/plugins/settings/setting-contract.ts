import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Text } from '#shared/fields';
import type { Parameter } from '#shared/parameters';
import type { LocalizedText } from '#shared/text';

/** Declared parameter with its value. */
export type ParameterState = Parameter & {
  /** Stored value of the deployment as text, or the declared default. */
  readonly value: string;
  readonly isDefault: boolean;
  /** Null when the value was never changed. */
  readonly changedBy: string | null;
  readonly changedAt: string | null;
  /** Values set for single tenants. */
  readonly own: readonly { readonly tenantId: string; readonly tenantName: string; readonly value: string }[];
};

const parameterKey = Text({ title: ['参数键名', 'Parameter key'], maxLength: 64 });
const forTenant = Type.Optional(Text({ title: ['租户编号', 'Tenant code'], maxLength: 12 }));

export const setting = {
  /** Lists all parameters the running plugins declare. */
  list: get('/api/blade-system/setting/list', {
    title: ['参数设置', 'Settings'],
    access: { code: 'setting' },
    input: NoInput,
    reply: Type.Array(Type.Unsafe<ParameterState>({ type: 'object', properties: {}, additionalProperties: true })),
  }),
  set: post('/api/blade-system/setting/set', {
    title: ['修改参数', 'Change a setting'],
    access: { code: 'setting_edit' },
    input: Type.Object({ key: parameterKey, tenantId: forTenant, value: Type.Optional(Text({ title: ['值', 'Value'], maxLength: 4000 })) }),
    reply: NoContent,
  }),
  reset: post('/api/blade-system/setting/reset', {
    title: ['恢复默认值', 'Reset a setting'],
    access: { code: 'setting_edit' },
    input: Type.Object({ key: parameterKey, tenantId: forTenant }),
    reply: NoContent,
  }),
};

export const settingProblems = {
  unknown: problem(404, ['参数不存在', 'Setting not found.']),
  notPerTenant: problem(400, ['此参数不能按租户设置', 'This setting cannot be set per tenant.']),
  unknownTenant: problem(400, ['租户不存在', 'Tenant not found.']),
};

/** Texts only the console uses. */
export const settingMessages = {
  search: ['搜索参数', 'Search settings'],
  none: ['没有符合条件的参数', 'No settings found'],
  found: ['共 {count} 项', '{count} settings'],
  isDefault: ['默认', 'Default'],
  defaultValue: ['默认 {value}', 'Default {value}'],
  range: ['可设为 {minimum} 到 {maximum}', 'allowed: {minimum} to {maximum}'],
  atLeast: ['不小于 {minimum}', 'at least {minimum}'],
  changed: ['{name} 于 {time} 修改', 'Changed by {name}, {time}'],
  empty: ['（空）', '(empty)'],
  on: ['开启', 'On'],
  off: ['关闭', 'Off'],
  edit: ['修改', 'Edit'],
  editOf: ['修改{title}', 'Edit {title}'],
  save: ['保存', 'Save'],
  reset: ['恢复默认', 'Reset to default'],
  saved: ['更新成功', 'Updated'],
  tenant: ['租户编号（不填为所有租户）', 'Tenant code (leave empty for all tenants)'],
  tenantValue: ['租户「{name}」：{value}', 'Tenant “{name}”: {value}'],
  removeOverride: ['取消单独设置', 'Remove override'],
  all: ['全部参数（含未声明的键）', 'All parameters (including undeclared keys)'],
  failed: ['参数加载失败', 'Could not load settings.'],
  retry: ['重试', 'Try again'],
} as const satisfies Record<string, LocalizedText>;
