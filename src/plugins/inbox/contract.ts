import type { Static } from 'typebox';
import * as Type from 'typebox';
import { event, get, Ids, NoContent, NoInput, post } from '#shared/contract';
import { DateTime, Id, Integer, Nullable, Select, Text } from '#shared/fields';
import { type InboxKind, type InboxStatus, inboxKinds } from '#shared/inbox';
import type { LocalizedText } from '#shared/text';

const Kind = Select<InboxKind>({ title: ['类型', 'Type'], options: inboxKinds.map((kind) => [kind, [kind, kind] as LocalizedText] as const) });

const Entry = Type.Object({
  id: Id(),
  kind: Kind,
  title: Text({ title: ['标题', 'Title'] }),
  body: Type.Unsafe<string>({ type: 'string' }),
  status: Type.Unsafe<InboxStatus | null>({ type: ['integer', 'null'], enum: [0, 1, 3, 4, null] }),
  /** A path of this console, or an external address that begins with http. */
  link: Nullable(Text({ title: ['链接', 'Link'], maxLength: 512 })),
  isRead: Type.Unsafe<boolean>({ type: 'boolean' }),
  /** True for a sample, which shows what notifications look like and reports nothing. */
  isSample: Type.Unsafe<boolean>({ type: 'boolean' }),
  createTime: DateTime({ title: ['时间', 'Time'] }),
});

/** A notification in the language of its recipient. */
export type InboxEntry = Static<typeof Entry>;

const Counts = Type.Object({
  mail: Integer({ title: ['邮件', 'Mail'] }),
  message: Integer({ title: ['消息', 'Messages'] }),
  notice: Integer({ title: ['通知', 'Notices'] }),
});

/** Number of unread notifications of each type. */
export type InboxCounts = Static<typeof Counts>;

/** Notifications of the signed-in user; users cannot read those of others. */
export const inbox = {
  /** Lists notifications, newest first; `before` is the id of the last entry already loaded. */
  list: get('/api/blade-desk/inbox/list', {
    title: ['通知列表', 'Notifications'],
    access: 'signedIn',
    input: Type.Object({ kind: Kind, before: Type.Optional(Id()), size: Type.Optional(Integer({ title: ['条数', 'Size'], minimum: 1, maximum: 50 })) }),
    reply: Type.Unsafe<{ entries: InboxEntry[]; hasMore: boolean }>({
      type: 'object',
      required: ['entries', 'hasMore'],
      properties: { entries: { type: 'array', items: Entry }, hasMore: { type: 'boolean' } },
    }),
  }),
  unread: get('/api/blade-desk/inbox/unread', { title: ['未读数量', 'Unread counts'], access: 'signedIn', input: NoInput, reply: Counts }),
  read: post('/api/blade-desk/inbox/read', { title: ['标为已读', 'Mark as read'], access: 'signedIn', input: Ids, reply: NoContent }),
  readAll: post('/api/blade-desk/inbox/read-all', {
    title: ['全部已读', 'Mark all as read'],
    access: 'signedIn',
    input: Type.Object({ kind: Kind }),
    reply: NoContent,
  }),
  /** Removes the sample notifications of the caller. */
  removeSamples: post('/api/blade-desk/inbox/remove-samples', { title: ['移除示例', 'Remove samples'], access: 'signedIn', input: NoInput, reply: NoContent }),
};

/** A notification arrived, or was read in another tab or on another device. */
export const InboxChanged = event<{ kind: InboxKind }>('inbox:changed');
