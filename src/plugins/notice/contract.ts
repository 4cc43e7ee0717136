import { Array as List, Object as Shape, Unsafe } from 'typebox';
import { dept } from '#plugins/organization/contract';
import { crud, Done, entity, event, get, Ids, list, Nothing, type Page, PageOf, post, type RowOf } from '#shared/contract';
import { Choice, DateTime, Dictionary, Id, Optional, Reference, RichText, Several, Text, Whole } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { Words } from '#shared/text';

const path = '/api/blade-desk/notice';
const who = { code: codes('notice').page };
const OfNotice = Shape({ id: Id() });

/** The roles a notice may be for. */
export const audienceRoles = get(`${path}/audience-roles`, {
  title: ['通知角色', 'Roles to tell'],
  who,
  input: Nothing,
  reply: List(Shape({ id: Id(), name: Text({ title: ['角色', 'Role'] }) })),
});

const toDepartments = { field: 'audience', is: 'departments' } as const;
const toRoles = { field: 'audience', is: 'roles' } as const;

const brief = {
  id: Id(),
  title: Text({ title: ['通知标题', 'Title'], maxLength: 200, search: true, sort: true, width: 280 }),
  category: Dictionary({ title: ['通知类型', 'Category'], code: 'notice', search: true }),
  releaseTime: DateTime({
    title: ['发布时间', 'Release time'],
    search: true,
    sort: true,
    help: ['到时推送到接收人的消息中心；早于现在则立即发布', 'People are told at this time; at once when it has passed'],
  }),
  audience: Choice({
    title: ['接收范围', 'Audience'],
    options: [
      ['all', ['全部人员', 'Everybody']],
      ['departments', ['指定部门', 'Departments']],
      ['roles', ['指定角色', 'Roles']],
    ],
    tones: { all: 'neutral', departments: 'brand', roles: 'brand' },
    default: 'all',
  }),
  releasedAt: Optional(DateTime({ title: ['实际发布', 'Released'], form: false })),
};

/** What somebody tells everybody, or departments with all that is below them, or roles. `releasedAt`: when people were told. */
export const Notice = entity('notice', {
  ...brief,
  departments: Optional(
    Several(
      Reference({
        title: ['接收部门', 'Departments'],
        from: { call: dept.tree, shape: 'tree' },
        list: false,
        visible: toDepartments,
        requiredWhen: toDepartments,
        help: ['包含其下级部门', 'With the departments below them'],
      }),
    ),
  ),
  roles: Optional(Several(Reference({ title: ['接收角色', 'Roles'], from: { call: audienceRoles }, list: false, visible: toRoles, requiredWhen: toRoles }))),
  content: RichText({ title: ['通知内容', 'Content'] }),
});
export type NoticeRow = RowOf<typeof Notice>;

const NoticeLine = entity('notice', brief);
/** What a list shows of a notice; the content stays where it is. */
export const noticeLine = { entity: NoticeLine };

/** A notice in the list of those who write them. */
export type NoticeLineRow = RowOf<typeof NoticeLine> & { readonly readCount: number };

const LineRow = Shape({ ...NoticeLine.row.properties, categoryName: Unsafe<string>({ type: 'string' }), readCount: Whole({ title: ['已读', 'Read'] }) });
const ReadRow = Shape({ ...NoticeLine.row.properties, isRead: Unsafe<boolean>({ type: 'boolean' }) });
/** A notice in the list of whoever may read it. */
export type ReadableNotice = RowOf<typeof NoticeLine> & { readonly isRead: boolean };

const listed = list(`${path}/list`, NoticeLine, who, ['通知列表', 'Notices']);

export const notice = { ...crud(path, Notice), list: { ...listed, reply: PageOf(LineRow) } };

/** The notices of whoever is signed in: what was released and is meant for them, newest first. */
export const reading = {
  entity: NoticeLine,
  menu: 'notice_reading',
  list: { ...list(`${path}/reading/list`, NoticeLine, 'signedIn', ['我的通知', 'My notices']), reply: PageOf(ReadRow) },
  open: get(`${path}/reading/detail`, { title: ['阅读通知', 'Read a notice'], who: 'signedIn', input: OfNotice, reply: Notice.row }),
  read: post(`${path}/reading/read`, { title: ['标为已读', 'Mark as read'], who: 'signedIn', input: Ids, reply: Done }),
};

const Reader = entity('notice_reader', {
  id: Id(),
  account: Text({ title: ['账号', 'Account'], maxLength: 64 }),
  realName: Text({ title: ['姓名', 'Name'], maxLength: 64 }),
  readTime: Optional(DateTime({ title: ['阅读时间', 'Read at'] })),
});
const ReaderRow = Shape({
  id: Id(),
  account: Reader.fields.account,
  realName: Reader.fields.realName,
  readTime: Unsafe<string | null>({ type: ['string', 'null'] }),
});
/** Somebody a notice is for; without a time they have not read it. */
export interface NoticeReader {
  readonly id: string;
  readonly account: string;
  readonly realName: string;
  readonly readTime: string | null;
}

/** Everybody a notice is for, those first who have read it. */
export const readers = {
  entity: Reader,
  menu: 'notice',
  list: get(`${path}/readers`, {
    title: ['阅读情况', 'Readers'],
    who,
    input: Shape({
      id: Id(),
      current: Whole({ title: ['页', 'Page'], minimum: 1, default: 1 }),
      size: Whole({ title: ['条数', 'Size'], minimum: 0, default: 10 }),
    }),
    reply: Unsafe<Page<NoticeReader>>(PageOf(ReaderRow)),
  }),
};

/** A notice has reached the people it is for. */
export const NoticeReleased = event<{ id: string }>('notice:released');

export const noticeWords = {
  readers: ['阅读情况', 'Readers'],
  readersOf: ['阅读情况：{name}', 'Readers of {name}'],
  readCount: ['{time} · 已读 {count} 人', '{time} · read by {count}'],
  unread: ['未读', 'Unread'],
  waiting: ['待发布', 'Waiting'],
  notification: ['您有一条新的通知公告', 'There is a notice for you'],
} as const satisfies Record<string, Words>;
