import { Array as List, Object as Shape, type Static, Unsafe } from 'typebox';
import { crud, Done, entity, get, Ids, list, Nothing, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { inUse, sort, writtenAt } from '#shared/family-columns';
import { Choice, DateTime, Id, Image, Money, Optional, Phone, RichText, Text, Whole, ZeroOne } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { Words } from '#shared/text';

const path = '/api/oms-system/miniapp';
const may = codes('banner');

/** What opens when a banner is tapped. */
export const linkTypes = { none: 0, page: 1, web: 2, task: 3 } as const;
const linked = { field: 'link_type', isNot: linkTypes.none } as const;

/** A picture that leads somewhere, at the top of a page of the mini-app, in the order of `sort`; while it is in use and within its time. */
export const Banner = entity(
  'banner',
  {
    id: Id(),
    image: Image({ title: ['图片', 'Picture'], help: ['建议 750 × 320，宽高比不同会被裁切', '750 × 320 fits best; other shapes are cut'] }),
    title: Text({ title: ['标题', 'Title'], maxLength: 64, search: true, width: 160 }),
    position: Choice({
      title: ['展示位置', 'Shown on'],
      options: [
        ['home', ['首页', 'Home']],
        ['task', ['任务页', 'Tasks']],
        ['mine', ['我的', 'My page']],
      ],
      default: 'home',
      search: true,
    }),
    link_type: Choice({
      title: ['点击后', 'Leads to'],
      options: [
        [linkTypes.none, ['不跳转', 'Nothing']],
        [linkTypes.page, ['小程序页面', 'A page of the mini-app']],
        [linkTypes.web, ['网页', 'A web page']],
        [linkTypes.task, ['任务', 'A task']],
      ],
      default: linkTypes.none,
    }),
    link: Optional(
      Text({
        title: ['跳转地址', 'Address'],
        maxLength: 1000,
        list: false,
        visible: linked,
        requiredWhen: linked,
        help: ['小程序页面以 / 开头；网页以 https:// 开头；任务填任务编号', 'A page begins with /, a web page with https://, a task is named by its id'],
      }),
    ),
    start_at: Optional(DateTime({ title: ['开始时间', 'From'], help: ['留空则立即展示', 'Empty: at once'] })),
    end_at: Optional(DateTime({ title: ['结束时间', 'Until'], help: ['留空则一直展示', 'Empty: for good'] })),
    sort,
    status: inUse,
    ...writtenAt,
  },
  { order: ['position', 'sort'] },
);
export type BannerRow = RowOf<typeof Banner>;

/** Where a banner stands in its time; `off` whatever its time. */
export type Phase = 'off' | 'waiting' | 'showing' | 'over';
const Line = Shape({ ...Banner.row.properties, phase: Unsafe<Phase>({ type: 'string', enum: ['off', 'waiting', 'showing', 'over'] }) });
export type BannerLine = Static<typeof Line>;

/** Without a place a new banner stands last. */
const BannerForm = Shape({ ...Banner.form.properties, sort: Optional(Whole({ title: ['排序', 'Order'], minimum: 0 })) }, { additionalProperties: false });
export type BannerSubmit = Static<typeof BannerForm>;
const { image, title, position, link_type, link } = Banner.fields;

export const banner = {
  ...crud(`${path}/banner`, Banner, { input: BannerForm }),
  list: { ...list(`${path}/bannerlist`, Banner, { code: may.page }, ['轮播图列表', 'Banners']), reply: PageOf(Line) },
  submit: post(`${path}/addbanner`, { title: ['新增或修改', 'Add or update'], who: { add: may.add, edit: may.edit }, input: BannerForm, reply: Banner.row }),
  /** Puts all banners of one position into this order; refused when they are others by now. */
  order: post(`${path}/banner/order`, {
    title: ['调整顺序', 'Put in order'],
    who: { code: may.edit },
    input: Shape({ position, ids: Ids.properties.ids }),
    reply: Done,
  }),
  /** What the mini-app shows now, in order. */
  showing: get(`${path}/banner/showing`, {
    title: ['展示中的轮播图', 'Banners shown now'],
    who: 'signedIn',
    input: Nothing,
    reply: List(Shape({ id: Id(), image, title, position, link_type, link })),
  }),
};

const look = ['品牌', 'Brand'] as const;
const service = ['客服', 'Service'] as const;
const work = ['任务规则', 'Tasks'] as const;
/** Told in the mini-app; payments go by none of it. */
const withdrawals = ['提现说明（仅在小程序中展示，付款不受其限制）', 'Withdrawals (told in the mini-app; payments are not limited by it)'] as const;
const paying = ['付款', 'Payment'] as const;
const texts = ['协议与说明', 'Texts'] as const;
const hours: Words = ['小时', 'h'];

/** How the mini-app of a tenant looks and what it allows; one row each. Amounts in 分, the rate in thousandths. */
export const MiniappSetting = entity('miniapp_setting', {
  id: Id(),
  app_name: Text({ title: ['小程序名称', 'Name'], maxLength: 32, group: look }),
  logo: Optional(Image({ title: ['标志', 'Logo'], group: look })),
  notice: Optional(Text({ title: ['滚动公告', 'Announcement'], maxLength: 200, group: look })),
  service_phone: Optional(Phone({ title: ['客服电话', 'Phone'], group: service })),
  service_wechat: Optional(Text({ title: ['客服微信', 'WeChat'], maxLength: 64, group: service })),
  claim_limit: Whole({ title: ['同时领取上限', 'Tasks at a time'], minimum: 0, maximum: 10_000, default: 0, help: ['0 表示不限', '0: no limit'], group: work }),
  submit_hours: Whole({ title: ['提交时限', 'Time to hand in'], minimum: 1, maximum: 8760, default: 24, unit: hours, group: work }),
  audit_hours: Whole({ title: ['审核时限', 'Time to review'], minimum: 1, maximum: 8760, default: 24, unit: hours, group: work }),
  min_withdraw: Money({ title: ['最低提现金额', 'Least amount'], default: 100, group: withdrawals }),
  withdraw_rate: Whole({ title: ['手续费', 'Fee'], minimum: 0, maximum: 1000, default: 0, unit: ['‰', '‰'], group: withdrawals }),
  daily_withdraw_limit: Whole({
    title: ['每日提现次数', 'Withdrawals a day'],
    minimum: 0,
    maximum: 1000,
    default: 1,
    help: ['0 表示不限', '0: no limit'],
    group: withdrawals,
  }),
  auto_pay: ZeroOne({
    title: ['审核通过后自动付款', 'Pay as soon as approved'],
    default: 0,
    help: ['超出限额或余额不足的仍在待付款中', 'What a limit or a balance does not allow waits to be paid by hand'],
    group: paying,
  }),
  agreement: Optional(RichText({ title: ['用户协议', 'Terms of use'], group: texts })),
  privacy: Optional(RichText({ title: ['隐私政策', 'Privacy policy'], group: texts })),
  about: Optional(RichText({ title: ['关于我们', 'About'], group: texts })),
  /** What somebody who edits has read; the server's own when it is written. */
  updated_at: Optional(DateTime({ title: ['更新时间', 'Updated'], list: false })),
});
export type MiniappSettingRow = RowOf<typeof MiniappSetting>;

/** The parameters that say how many hours there are where a tenant has saved nothing, and what holds without those. */
export const presetHours = { submit_hours: ['task.submitHours', 24], audit_hours: ['task.auditHours', 24] } as const;

const { id: _id, auto_pay: _autoPay, updated_at: _updatedAt, ...told } = MiniappSetting.form.properties;

export const miniappSetting = {
  entity: MiniappSetting,
  menu: 'miniapp_setting',
  /** Where nothing was saved yet, what holds without it, under the id '0'. */
  read: get(`${path}/getsetting`, { title: ['小程序设置', 'Mini-app settings'], who: { code: 'miniapp_setting' }, input: Nothing, reply: MiniappSetting.row }),
  /** With `updated_at`: refused when somebody has saved since. */
  submit: post(`${path}/updatesetting`, {
    title: ['修改小程序设置', 'Save mini-app settings'],
    who: { code: 'miniapp_setting_edit' },
    input: MiniappSetting.form,
    reply: MiniappSetting.row,
  }),
  /** What the mini-app needs to know: how it looks, what it allows, its texts. */
  showing: get(`${path}/setting/showing`, { title: ['小程序信息', 'What the mini-app shows'], who: 'signedIn', input: Nothing, reply: Shape(told) }),
};

export const miniappProblems = {
  wrongLink: problem(400, ['跳转地址与跳转方式不符', 'This address does not fit what the banner leads to.']),
  endsBefore: problem(400, ['结束时间须晚于开始时间', 'It would end before it begins.']),
  savedSince: problem(409, ['设置已被他人修改，请刷新后再保存', 'Somebody else has saved these settings meanwhile. Reload before you save.']),
};
