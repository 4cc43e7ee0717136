import type { Static } from 'typebox';
import * as Type from 'typebox';
import { enabledFlag, sort, timestamps } from '#shared/common-fields';
import { before, crud, entity, get, Ids, list, NoContent, NoInput, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { BooleanInt, DateTime, Id, Image, Integer, Money, Nullable, Phone, RichText, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { integerParameter, type Parameter } from '#shared/parameters';
import type { LocalizedText } from '#shared/text';

const path = '/api/oms-system/miniapp';
const may = codes('banner');

/** Targets a banner opens when tapped. */
export const linkTypes = { none: 0, page: 1, web: 2, task: 3 } as const;
const whenLinked = { field: 'link_type', isNot: linkTypes.none } as const;

/** Picture with a link at the top of a page of the mini-app, shown while it is enabled and within its dates, in the order of `sort`. */
export const Banner = entity(
  'banner',
  {
    id: Id(),
    image: Image({ title: ['图片', 'Picture'], help: ['建议 750 × 320，宽高比不同会被裁切', 'Recommended: 750 × 320. Other ratios are cropped.'] }),
    title: Text({ title: ['标题', 'Title'], maxLength: 64, search: true, width: 160 }),
    position: Select({
      title: ['展示位置', 'Position'],
      options: [
        ['home', ['首页', 'Home']],
        ['task', ['任务页', 'Tasks']],
        ['mine', ['我的', 'My page']],
      ],
      default: 'home',
      search: true,
    }),
    link_type: Select({
      title: ['点击后', 'Link type'],
      options: [
        [linkTypes.none, ['不跳转', 'No link']],
        [linkTypes.page, ['小程序页面', 'Mini-app page']],
        [linkTypes.web, ['网页', 'Web page']],
        [linkTypes.task, ['任务', 'Task']],
      ],
      default: linkTypes.none,
    }),
    link: Nullable(
      Text({
        title: ['跳转地址', 'Link'],
        maxLength: 1000,
        list: false,
        visible: whenLinked,
        requiredWhen: whenLinked,
        help: ['小程序页面以 / 开头；网页以 https:// 开头；任务填任务编号', 'Mini-app pages start with /, web pages with https://; for a task, enter its ID'],
      }),
    ),
    start_at: Nullable(DateTime({ title: ['开始时间', 'Start'], help: ['留空则立即展示', 'Leave empty to start immediately'] })),
    end_at: Nullable(DateTime({ title: ['结束时间', 'End'], help: ['留空则一直展示', 'Leave empty for no end'], endOfDay: true, notPast: true })),
    sort,
    status: enabledFlag,
    ...timestamps,
  },
  { order: ['position', 'sort'], rules: [before('start_at', 'end_at')] },
);
export type BannerRow = RowOf<typeof Banner>;

/** Phase of a banner; `off` when it is disabled, whatever its dates. */
export type BannerPhase = 'off' | 'waiting' | 'showing' | 'over';
const BannerWithPhase = Type.Object({
  ...Banner.row.properties,
  phase: Type.Unsafe<BannerPhase>({ type: 'string', enum: ['off', 'waiting', 'showing', 'over'] }),
});
export type BannerWithPhase = Static<typeof BannerWithPhase>;

/** A new banner without a position in the order is added last. */
const BannerForm = Type.Object(
  { ...Banner.form.properties, sort: Nullable(Integer({ title: ['排序', 'Sort order'], minimum: 0 })) },
  { additionalProperties: false },
);
export type BannerSubmit = Static<typeof BannerForm>;
const { image, title, position, link_type, link } = Banner.fields;

export const banner = {
  ...crud(`${path}/banner`, Banner, { input: BannerForm }),
  list: { ...list(`${path}/bannerlist`, Banner, { code: may.page }, ['轮播图列表', 'Banners']), reply: PageOf(BannerWithPhase) },
  submit: post(`${path}/addbanner`, { title: ['新增或修改', 'Add or update'], access: { add: may.add, edit: may.edit }, input: BannerForm, reply: Banner.row }),
  /** Sorts all banners of one position; refused when the list has changed meanwhile. */
  order: post(`${path}/banner/order`, {
    title: ['调整顺序', 'Reorder'],
    access: { code: may.edit },
    input: Type.Object({ position, ids: Ids.properties.ids }),
    reply: NoContent,
  }),
  /** Lists the banners the mini-app shows now, in order. */
  showing: get(`${path}/banner/showing`, {
    title: ['展示中的轮播图', 'Active banners'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), image, title, position, link_type, link })),
  }),
};

const brandGroup = ['品牌', 'Brand'] as const;
const serviceGroup = ['客服', 'Service'] as const;
const taskRules = ['任务规则', 'Task rules'] as const;
/** Shown in the mini-app only; payments do not apply these limits. */
const withdrawalGroup = ['提现说明（仅在小程序中展示，付款不受其限制）', 'Withdrawals (shown in the mini-app only; payments are not limited by them)'] as const;
const paymentGroup = ['付款', 'Payment'] as const;
const textGroup = ['协议与说明', 'Terms and policies'] as const;
const hours: LocalizedText = ['小时', 'h'];

/** Appearance, limits and texts of a tenant's mini-app, one row per tenant. Amounts in 分, the rate in thousandths. */
export const MiniappSetting = entity('miniapp_setting', {
  id: Id(),
  app_name: Text({ title: ['小程序名称', 'Name'], maxLength: 32, group: brandGroup }),
  logo: Nullable(Image({ title: ['标志', 'Logo'], group: brandGroup })),
  notice: Nullable(Text({ title: ['滚动公告', 'Announcement'], maxLength: 200, group: brandGroup })),
  service_phone: Nullable(Phone({ title: ['客服电话', 'Phone'], personal: false, group: serviceGroup })),
  service_wechat: Nullable(Text({ title: ['客服微信', 'WeChat'], maxLength: 64, group: serviceGroup })),
  claim_limit: Integer({
    title: ['同时领取上限', 'Max active claims'],
    minimum: 0,
    maximum: 10_000,
    default: 0,
    help: ['0 表示不限', '0 for no limit'],
    group: taskRules,
  }),
  submit_hours: Integer({ title: ['提交时限', 'Submission time limit'], minimum: 1, maximum: 8760, default: 24, unit: hours, group: taskRules }),
  audit_hours: Integer({ title: ['审核时限', 'Review time limit'], minimum: 1, maximum: 8760, default: 24, unit: hours, group: taskRules }),
  min_withdraw: Money({ title: ['最低提现金额', 'Min withdrawal amount'], default: 100, total: false, group: withdrawalGroup }),
  withdraw_rate: Integer({ title: ['手续费', 'Fee'], minimum: 0, maximum: 1000, default: 0, unit: ['‰', '‰'], group: withdrawalGroup }),
  daily_withdraw_limit: Integer({
    title: ['每日提现次数', 'Withdrawals per day'],
    minimum: 0,
    maximum: 1000,
    default: 1,
    help: ['0 表示不限', '0 for no limit'],
    group: withdrawalGroup,
  }),
  auto_pay: BooleanInt({
    title: ['审核通过后自动付款', 'Pay automatically after approval'],
    default: 0,
    help: ['超出限额或余额不足的仍在待付款中', 'Payments over the limit or the balance stay in the payment queue'],
    group: paymentGroup,
  }),
  agreement: Nullable(RichText({ title: ['用户协议', 'Terms of use'], group: textGroup })),
  privacy: Nullable(RichText({ title: ['隐私政策', 'Privacy policy'], group: textGroup })),
  about: Nullable(RichText({ title: ['关于我们', 'About'], group: textGroup })),
  /** Time of the last change; the server sets it on each write. */
  updated_at: Nullable(DateTime({ title: ['更新时间', 'Updated'], form: false, list: false })),
});
export type MiniappSettingRow = RowOf<typeof MiniappSetting>;

const hoursParameter = (key: string, title: LocalizedText, help: LocalizedText) =>
  integerParameter({ key, group: ['任务', 'Tasks'], title, help, preset: 24, maximum: 8760, unit: ['小时', 'h'] });

/** Parameters for the hours that apply while a tenant has not saved its own settings, with their defaults. */
export const defaultHours = {
  submit_hours: hoursParameter(
    'task.submitHours',
    ['任务提交时限', 'Task submission time limit'],
    [
      '领取后须在此时间内提交凭证，否则名额释放；小程序设置保存后以其为准',
      'Proof must be submitted within this time after claiming, or the place is released. Saved mini-app settings take precedence',
    ],
  ),
  audit_hours: hoursParameter(
    'task.auditHours',
    ['审核超时提醒', 'Review overdue alert'],
    ['凭证待审核超过此时间时在首页提醒；小程序设置保存后以其为准', 'Proof pending longer than this raises an alert. Saved mini-app settings take precedence'],
  ),
};

const { id: _id, version: _version, auto_pay: _autoPay, ...publicSettings } = MiniappSetting.form.properties;

export const miniappSetting = {
  entity: MiniappSetting,
  menu: 'miniapp_setting',
  /** Returns the defaults with the id '0' while no settings are saved. */
  read: get(`${path}/getsetting`, {
    title: ['小程序设置', 'Mini-app settings'],
    access: { code: 'miniapp_setting' },
    input: NoInput,
    reply: MiniappSetting.row,
  }),
  /** With `updated_at`, refused when the settings were saved in the meantime. */
  submit: post(`${path}/updatesetting`, {
    title: ['修改小程序设置', 'Save mini-app settings'],
    access: { code: 'miniapp_setting_edit' },
    effect: 'updated',
    input: Type.Object({ ...MiniappSetting.form.properties, updated_at: Type.Optional(MiniappSetting.fields.updated_at) }),
    reply: MiniappSetting.row,
  }),
  /** Returns the appearance, limits and texts the mini-app needs. */
  showing: get(`${path}/setting/showing`, {
    title: ['小程序信息', 'Mini-app information'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object(publicSettings),
  }),
};

export const miniappProblems = {
  wrongLink: problem(400, ['跳转地址与跳转方式不符', 'The link does not match the link type.']),
  changedMeanwhile: problem(409, ['设置已被他人修改，请刷新后再保存', 'Someone else has changed these settings. Refresh before you save.']),
};

/** Parameters this plugin reads. */
export const miniappParameters: readonly Parameter[] = [defaultHours.submit_hours, defaultHours.audit_hours];
