import { Boolean as Bool, Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { say, type Words, type WordValues } from './text.ts';

/** What a request passes, in this order. */
export const explainedSteps = {
  account: ['账号', 'Account'],
  plugin: ['插件', 'Plugin'],
  package: ['租户产品包', 'Tenant package'],
  role: ['角色', 'Roles'],
  menu: ['菜单', 'Menu'],
  code: ['权限码', 'Permission code'],
  apiScope: ['接口权限', 'API scopes'],
  dataScope: ['数据权限', 'Data scopes'],
} as const satisfies Record<string, Words>;
export type ExplainedStep = keyof typeof explainedSteps;

/** `silent`: the step has nothing to say here. */
export type StepVerdict = 'allows' | 'refuses' | 'silent';

const text = Unsafe<string>({ type: 'string' });
const words = Unsafe<Words>({ type: 'array', items: { type: 'string' } });

/** What is asked: whom it is about, and the page, button or call by its code or address; with a row of it where `rowId` is given. */
export const ExplainInput = Shape({
  userId: Omissible(Unsafe<string>({ type: 'string', pattern: '^\\d{1,19}$' })),
  about: Unsafe<string>({ type: 'string', minLength: 1, maxLength: 512 }),
  rowId: Omissible(Unsafe<string>({ type: 'string', pattern: '^\\d{1,19}$' })),
});
export type Question = Static<typeof ExplainInput>;

const Step = Shape({
  step: Unsafe<ExplainedStep>({ type: 'string', enum: Object.keys(explainedSteps) }),
  verdict: Unsafe<StepVerdict>({ type: 'string', enum: ['allows', 'refuses', 'silent'] }),
  sentence: words,
});
export type Explained = Static<typeof Step>;

/** What every step says; allowed where none refuses. */
export const Explanation = Shape({
  user: Shape({ id: text, account: text, name: text }),
  subject: Shape({ kind: Unsafe<'page' | 'button' | 'call'>({ type: 'string', enum: ['page', 'button', 'call'] }), name: words, about: text }),
  isAllowed: Bool(),
  steps: List(Step),
});
export type Explanation = Static<typeof Explanation>;

const sentences = {
  mayEnter: ['账号可以登录。', 'The account may sign in.'],
  mayNotEnter: ['账号已停用、已删除，或其租户已停用或到期。', 'The account or its tenant is disabled, deleted or has run out.'],
  passwordFirst: ['须先修改密码，之前什么都不能做。', 'The password must be changed before anything else.'],
  kernel: ['由系统内核提供，始终可用。', 'It is part of the kernel and always there.'],
  added: ['由管理员添加，不属于任何插件。', 'An administrator has added it. No plugin is needed.'],
  runs: ['插件“{plugin}”正在运行。', 'The plugin “{plugin}” runs.'],
  switchedOff: ['插件“{plugin}”已在本租户停用。', 'The plugin “{plugin}” is switched off in this tenant.'],
  switchedOffByPlatform: ['插件“{plugin}”已由平台停用。', 'The platform has switched the plugin “{plugin}” off.'],
  goesWith: ['插件“{plugin}”依赖“{needed}”，后者已在本租户停用。', 'The plugin “{plugin}” needs “{needed}”, which is switched off in this tenant.'],
  goesWithAtPlatform: ['插件“{plugin}”依赖“{needed}”，后者已由平台停用。', 'The plugin “{plugin}” needs “{needed}”, which the platform has switched off.'],
  runsNot: ['所属插件没有在本系统中运行。', 'The plugin it belongs to does not run here.'],
  platformTenant: ['平台租户不受产品包限制。', "The platform's own tenant is not limited by a package."],
  noPackage: ['租户没有产品包，不作限制。', 'The tenant has no package, so nothing is limited.'],
  inPackage: ['在租户的产品包之内。', "It is in the tenant's package."],
  notInPackage: ['不在租户的产品包之内。', "It is not in the tenant's package."],
  platformOnly: ['仅平台租户可以拥有。', "Only the platform's own tenant ever has it."],
  everybodys: ['所有登录用户都可以使用。', 'Everybody who is signed in has it.'],
  administrator: ['是超级管理员，拥有全部权限。', 'They are the administrator and have everything.'],
  granted: ['由角色“{roles}”授予。', 'Granted by: {roles}.'],
  grantedByNone: ['角色“{roles}”都没有被授予。', 'Not granted to: {roles}.'],
  noRole: ['没有任何角色。', 'They have no role.'],
  inMenu: ['在该用户的菜单中。', 'It stands in their menu.'],
  notInMenu: ['不在该用户的菜单中。', 'It does not stand in their menu.'],
  noEntry: ['没有对应的菜单项。', 'No entry of the menu belongs to it.'],
  open: ['无需登录即可调用。', 'Anybody may call it, signed in or not.'],
  signedIn: ['登录即可调用，不需要权限码。', 'Whoever is signed in may call it. No code is needed.'],
  hasCode: ['拥有权限码 {code}。', 'They hold the code {code}.'],
  lacksCode: ['缺少权限码 {code}。', 'They lack the code {code}.'],
  noApiScope: ['没有接口权限限定它。', 'No API scope covers it.'],
  apiScopeGiven: ['被授予了限定它的接口权限“{scopes}”。', 'They were given an API scope that covers it: {scopes}.'],
  apiScopeMissing: ['接口权限“{scopes}”限定了它，而该用户没有被授予。', 'It is covered by API scopes they were not given: {scopes}.'],
  apiScopeUnasked: ['接口权限不约束超级管理员。', 'API scopes do not bind the administrator.'],
  allRows: ['可以看到全部数据。', 'They see all rows.'],
  someRows: ['只能看到{parts}的数据。', 'They see only {parts}.'],
  someFields: ['只能看到部分字段：{fields}。', 'They see only these fields: {fields}.'],
  rowInside: ['这条数据在可见范围之内。', 'This row is among those they see.'],
  rowOutside: ['这条数据在可见范围之外。', 'This row is not among those they see.'],
  noRow: ['没有这条数据。', 'There is no such row.'],
  noRows: ['不涉及数据。', 'No rows are involved.'],
} as const satisfies Record<string, Words>;

/** What a data scope lets through, in words. */
export const rowParts = {
  own: ['本人', 'their own rows'],
  dept: ['所在部门', 'rows of their departments'],
  deptAndBelow: ['所在部门及下级', 'rows of their departments and those below'],
  custom: ['符合自定义条件', 'rows that fit a condition'],
} as const satisfies Record<string, Words>;

/** One step in one sentence, in both languages. */
export function explained(step: ExplainedStep, verdict: StepVerdict, sentence: keyof typeof sentences, values: Record<string, string | Words> = {}): Explained {
  const at = (place: 0 | 1): WordValues =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : value[place]]));
  return { step, verdict, sentence: [say(sentences[sentence], 'zh', at(0)), say(sentences[sentence], 'en', at(1))] };
}
