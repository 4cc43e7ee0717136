import type { Static } from 'typebox';
import * as Type from 'typebox';
import { type LocalizedText, localize, type TextValues } from '../text/text.ts';

/** Checks that a request passes, in order. */
export const explainedSteps = {
  account: ['账号', 'Account'],
  plugin: ['插件', 'Plugin'],
  package: ['租户产品包', 'Tenant package'],
  role: ['角色', 'Roles'],
  menu: ['菜单', 'Menu'],
  code: ['权限码', 'Permission code'],
  apiScope: ['接口权限', 'API scopes'],
  dataScope: ['数据权限', 'Data scopes'],
} as const satisfies Record<string, LocalizedText>;
export type ExplainedStep = keyof typeof explainedSteps;

/** Verdict of a step; `silent` means that the step does not apply. */
export type StepVerdict = 'allows' | 'refuses' | 'silent';

const text = Type.Unsafe<string>({ type: 'string' });
const localizedText = Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } });

/** Question to explain: the user, the code or path of a page, button or call, and optionally the id of a row. */
export const ExplainInput = Type.Object({
  userId: Type.Optional(Type.Unsafe<string>({ type: 'string', pattern: '^\\d{1,19}$' })),
  about: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 512 }),
  rowId: Type.Optional(Type.Unsafe<string>({ type: 'string', pattern: '^\\d{1,19}$' })),
});
export type PermissionQuestion = Static<typeof ExplainInput>;

const Step = Type.Object({
  step: Type.Unsafe<ExplainedStep>({ type: 'string', enum: Object.keys(explainedSteps) }),
  verdict: Type.Unsafe<StepVerdict>({ type: 'string', enum: ['allows', 'refuses', 'silent'] }),
  sentence: localizedText,
});
export type ExplanationStep = Static<typeof Step>;

/** Verdict of every step; the request is allowed unless one refuses. */
export const Explanation = Type.Object({
  user: Type.Object({ id: text, account: text, name: text }),
  subject: Type.Object({
    kind: Type.Unsafe<'page' | 'button' | 'call'>({ type: 'string', enum: ['page', 'button', 'call'] }),
    name: localizedText,
    about: text,
    /** Entity of the rows that it shows or changes. */
    entity: Type.Optional(text),
  }),
  isAllowed: Type.Boolean(),
  steps: Type.Array(Step),
});
export type Explanation = Static<typeof Explanation>;

const sentences = {
  canSignIn: ['账号可以登录。', 'The account can sign in.'],
  cannotSignIn: ['账号已停用、已删除，或其租户已停用或到期。', 'The account is disabled or deleted, or its tenant is suspended or has expired.'],
  passwordChangeRequired: ['须先修改密码，修改前无法执行任何操作。', 'The password must be changed first.'],
  providedByKernel: ['由系统内核提供，始终可用。', 'Provided by the system kernel and always available.'],
  addedByAdministrator: ['由管理员添加，不属于任何插件。', 'Added by an administrator and not part of any plugin.'],
  pluginRuns: ['插件「{plugin}」正在运行。', 'The plugin “{plugin}” is running.'],
  disabledInTenant: ['插件「{plugin}」已在本租户停用。', 'The plugin “{plugin}” is disabled in this tenant.'],
  disabledByPlatform: ['插件「{plugin}」已由平台停用。', 'The plugin “{plugin}” is disabled by the platform.'],
  dependencyDisabledInTenant: [
    '插件「{plugin}」依赖「{dependency}」，后者已在本租户停用。',
    'The plugin “{plugin}” requires “{dependency}”, which is disabled in this tenant.',
  ],
  dependencyDisabledByPlatform: [
    '插件「{plugin}」依赖「{dependency}」，后者已由平台停用。',
    'The plugin “{plugin}” requires “{dependency}”, which is disabled by the platform.',
  ],
  pluginNotRunning: ['所属插件没有在本系统中运行。', 'Its plugin is not running in this system.'],
  platformTenant: ['平台租户不受产品包限制。', 'The platform tenant is not limited by a package.'],
  noPackage: ['租户没有产品包，不作限制。', 'The tenant has no package, so it is not limited.'],
  inPackage: ['在租户的产品包之内。', 'Included in the tenant package.'],
  notInPackage: ['不在租户的产品包之内。', 'Not included in the tenant package.'],
  platformOnly: ['仅平台租户可以拥有。', 'Available to the platform tenant only.'],
  forAllUsers: ['所有登录用户都可以使用。', 'Available to all signed-in users.'],
  administrator: ['该用户为超级管理员，拥有全部权限。', 'The user is a super administrator and has all permissions.'],
  granted: ['由角色「{roles}」授予。', 'Granted by: {roles}.'],
  grantedByNone: ['未授予角色「{roles}」。', 'Not granted to: {roles}.'],
  noRole: ['该用户没有角色。', 'The user has no roles.'],
  inMenu: ['在该用户的菜单中。', 'It is in the user’s menu.'],
  notInMenu: ['不在该用户的菜单中。', 'It is not in the user’s menu.'],
  noEntry: ['没有对应的菜单项。', 'It has no menu item.'],
  open: ['无需登录即可调用。', 'No sign-in required.'],
  signedIn: ['登录即可调用，不需要权限码。', 'Available to all signed-in users. No permission code is required.'],
  hasCode: ['拥有权限码 {code}。', 'The user has the permission code {code}.'],
  lacksCode: ['缺少权限码 {code}。', 'The user does not have the permission code {code}.'],
  noApiScope: ['没有接口权限限制该接口。', 'No API scope restricts it.'],
  apiScopeGranted: ['已授予限制该接口的接口权限「{scopes}」。', 'The user has an API scope that covers it: {scopes}.'],
  apiScopeMissing: ['该接口受接口权限「{scopes}」限制，该用户未获授权。', 'It is restricted by API scopes the user does not have: {scopes}.'],
  apiScopeNotRequired: ['接口权限不限制超级管理员。', 'API scopes do not apply to super administrators.'],
  allRows: ['可以看到全部数据。', 'The user can see all data.'],
  someRows: ['只能看到{parts}的数据。', 'The user can only see {parts}.'],
  someFields: ['只能看到部分字段：{fields}。', 'The user can only see these fields: {fields}.'],
  rowInside: ['这条数据在可见范围之内。', 'This record is visible to the user.'],
  rowOutside: ['这条数据在可见范围之外。', 'This record is not visible to the user.'],
  rowOutsideRule: ['这条数据在可见范围之外：只能看到「{rule}」的数据。', 'This record is not visible: the user only sees records with “{rule}”.'],
  someRowsRule: ['只能看到「{rule}」的数据。', 'The user only sees records with “{rule}”.'],
  rowMissing: ['数据不存在。', 'Record not found.'],
  noEntity: ['不涉及数据。', 'No data is involved.'],
} as const satisfies Record<string, LocalizedText>;

/** Phrases for the parts of a data scope. */
export const rowParts = {
  own: ['本人', 'their own data'],
  dept: ['所在部门', 'data of their departments'],
  deptAndBelow: ['所在部门及下级', 'data of their departments and sub-departments'],
  custom: ['符合自定义条件', 'data matching a custom condition'],
} as const satisfies Record<string, LocalizedText>;

/** Builds one step of the explanation with its sentence in both languages. */
export function explained(
  step: ExplainedStep,
  verdict: StepVerdict,
  sentence: keyof typeof sentences,
  values: Record<string, string | LocalizedText> = {},
): ExplanationStep {
  const at = (languageIndex: 0 | 1): TextValues =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : value[languageIndex]]));
  return { step, verdict, sentence: [localize(sentences[sentence], 'zh', at(0)), localize(sentences[sentence], 'en', at(1))] };
}
