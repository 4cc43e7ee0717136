import type { Static } from 'typebox';
import * as Type from 'typebox';
import { dept } from '#plugins/organization/contract';
import { crud, entity, event, get, Ids, list, NoContent, NoInput, PageOf, post, type RowOf } from '#shared/contract';
import { DateTime, Dictionary, Id, Integer, MultiSelect, Nullable, Reference, RichText, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { integerParameter, type Parameter } from '#shared/parameters';
import type { LocalizedText } from '#shared/text';

const path = '/api/blade-desk/notice';
const access = { code: codes('notice').page };
const OfNotice = Type.Object({ id: Id() });

/** Lists the roles a notice can be addressed to. */
export const audienceRoles = get(`${path}/audience-roles`, {
  title: ['通知角色', 'Recipient roles'],
  access,
  input: NoInput,
  reply: Type.Array(Type.Object({ id: Id(), name: Text({ title: ['角色', 'Role'] }) })),
});

const toDepartments = { field: 'audience', is: 'departments' } as const;
const toRoles = { field: 'audience', is: 'roles' } as const;

const brief = {
  id: Id(),
  title: Text({ title: ['通知标题', 'Title'], maxLength: 200, search: true, sort: true, width: 280 }),
  category: Dictionary({ title: ['通知类型', 'Category'], code: 'notice', search: true }),
  releaseTime: DateTime({
    title: ['发布时间', 'Publish time'],
    search: true,
    sort: true,
    help: ['到时推送至接收人的消息中心，早于当前时间则立即发布', 'Recipients are notified at this time. A past time publishes immediately.'],
  }),
  audience: Select({
    title: ['接收范围', 'Audience'],
    options: [
      ['all', ['全部人员', 'Everyone']],
      ['departments', ['指定部门', 'Departments']],
      ['roles', ['指定角色', 'Roles']],
    ],
    tones: { all: 'neutral', departments: 'brand', roles: 'brand' },
    default: 'all',
  }),
  releasedAt: Nullable(DateTime({ title: ['实际发布', 'Published'], form: false })),
};

/** Notice to all users, to departments with their descendants, or to roles. `releasedAt` is the time its readers were notified. */
export const Notice = entity('notice', {
  ...brief,
  departments: Nullable(
    MultiSelect(
      Reference({
        title: ['接收部门', 'Departments'],
        onDelete: 'keep',
        from: { call: dept.tree, entity: 'dept', shape: 'tree' },
        list: false,
        visible: toDepartments,
        requiredWhen: toDepartments,
        help: ['包含下级部门', 'Includes sub-departments'],
      }),
    ),
  ),
  roles: Nullable(
    MultiSelect(
      Reference({
        title: ['接收角色', 'Roles'],
        onDelete: 'keep',
        from: { call: audienceRoles, entity: 'role' },
        list: false,
        visible: toRoles,
        requiredWhen: toRoles,
      }),
    ),
  ),
  content: RichText({ title: ['通知内容', 'Content'] }),
});
export type NoticeRow = RowOf<typeof Notice>;

const NoticeLine = entity('notice', brief);
/** Entity of list rows, which omit the content. */
export const noticeLine = { entity: NoticeLine };

/** Notice in the list for authors. */
export type NoticeLineRow = RowOf<typeof NoticeLine> & { readonly readCount: number };

const LineRow = Type.Object({
  ...NoticeLine.row.properties,
  categoryName: Type.Unsafe<string>({ type: 'string' }),
  readCount: Integer({ title: ['已读', 'Read'] }),
});
const ReadRow = Type.Object({ ...NoticeLine.row.properties, isRead: Type.Unsafe<boolean>({ type: 'boolean' }) });
/** Notice in the list for readers. */
export type ReadableNotice = RowOf<typeof NoticeLine> & { readonly isRead: boolean };

const listed = list(`${path}/list`, NoticeLine, access, ['通知列表', 'Notices']);

export const notice = { ...crud(path, Notice), list: { ...listed, reply: PageOf(LineRow) } };

/** Released notices addressed to the signed-in user, newest first. */
export const reading = {
  entity: NoticeLine,
  menu: 'notice_reading',
  list: { ...list(`${path}/reading/list`, NoticeLine, 'signedIn', ['我的通知', 'My notices']), reply: PageOf(ReadRow) },
  open: get(`${path}/reading/detail`, { title: ['阅读通知', 'Read a notice'], access: 'signedIn', input: OfNotice, reply: Notice.row }),
  read: post(`${path}/reading/read`, { title: ['标为已读', 'Mark as read'], access: 'signedIn', input: Ids, reply: NoContent }),
};

const text = Type.Unsafe<string>({ type: 'string' });
const latest = { access: 'signedIn', input: NoInput } as const;

/** Latest notices for the signed-in user, as the home page and the bell of BladeX-compatible clients read them. */
export const latestNotices = {
  cards: get('/api/blade-desk/dashboard/notices', {
    ...latest,
    title: ['首页通知', 'Home page notices'],
    reply: Type.Array(Type.Object({ id: Id(), logo: text, title: text, description: text, member: text, href: text, updatedAt: text })),
  }),
  bell: get('/api/blade-desk/dashboard/my-notices', {
    ...latest,
    title: ['我的消息', 'My messages'],
    reply: Type.Array(
      Type.Object({ id: Id(), avatar: text, title: text, description: text, datetime: text, type: text, read: Type.Unsafe<boolean>({ type: 'boolean' }) }),
    ),
  }),
};

const Reader = entity(
  'notice_reader',
  {
    id: Id(),
    account: Text({ title: ['账号', 'Account'], maxLength: 64 }),
    realName: Text({ title: ['姓名', 'Name'], maxLength: 64 }),
    readTime: Nullable(DateTime({ title: ['阅读时间', 'Read at'] })),
  },
  { versioned: false },
);
const ReaderRow = Type.Object({
  id: Id(),
  account: Reader.fields.account,
  realName: Reader.fields.realName,
  readTime: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});
/** User a notice is addressed to; without a time they have not read it. */
export type NoticeReader = Static<typeof ReaderRow>;

/** Users a notice is addressed to, those who have read it first. */
export const readers = {
  entity: Reader,
  menu: 'notice',
  list: get(`${path}/readers`, {
    title: ['阅读情况', 'Readers'],
    access,
    input: Type.Object({
      id: Id(),
      current: Integer({ title: ['页', 'Page'], minimum: 1, default: 1 }),
      size: Integer({ title: ['条数', 'Page size'], minimum: 0, default: 10 }),
    }),
    reply: PageOf(ReaderRow),
  }),
};

/** A notice was released to its audience. */
export const NoticeReleased = event<{ id: string }>('notice:released');

export const noticeMessages = {
  noReaders: ['没有收件人', 'No recipients'],
  noReadersHint: ['通知发布后，应读的人及其阅读时间显示在这里。', 'Once the notice is published, its recipients appear here with the time they read it.'],
  noNotices: ['暂无通知', 'No notices yet'],
  noNoticesHint: ['发布给您的通知显示在这里。', 'Notices published to you appear here.'],
  readers: ['阅读情况', 'Readers'],
  readersOf: ['阅读情况：{name}', 'Readers of {name}'],
  readCount: ['{time} · 已读 {count} 人', '{time} · read by {count}'],
  unread: ['未读', 'Unread'],
  waiting: ['待发布', 'Scheduled'],
  notification: ['您有一条新的通知公告', 'You have a new notice'],
} as const satisfies Record<string, LocalizedText>;

export const newcomerDays = integerParameter({
  key: 'notice.newcomerDays',
  group: ['通知公告', 'Notices'],
  title: ['新接收人补发天数', 'Notices for new recipients'],
  help: ['新加入接收范围的用户会收到最近若干天内发布的通知', 'New recipients get notices published within this many days'],
  preset: 30,
  maximum: 3650,
  unit: ['天', 'days'],
});

/** Parameters this plugin reads. */
export const noticeParameters: readonly Parameter[] = [newcomerDays];
