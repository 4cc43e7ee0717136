import { Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { Done, event, get, Ids, Nothing, post } from '#shared/contract';
import { Choice, DateTime, Id, Optional, Text, Whole } from '#shared/fields';
import { type InboxKind, type InboxStatus, inboxKinds } from '#shared/inbox';
import type { Words } from '#shared/text';

const Kind = Choice<InboxKind>({ title: ['类型', 'Type'], options: inboxKinds.map((kind) => [kind, [kind, kind] as Words] as const) });

const Entry = Shape({
  id: Id(),
  kind: Kind,
  title: Text({ title: ['标题', 'Title'] }),
  body: Unsafe<string>({ type: 'string' }),
  status: Unsafe<InboxStatus | null>({ type: ['integer', 'null'], enum: [0, 1, 3, 4, null] }),
  /** A path of this console, or an external address that begins with http. */
  link: Optional(Text({ title: ['链接', 'Link'], maxLength: 512 })),
  isRead: Unsafe<boolean>({ type: 'boolean' }),
  /** True for a sample, which shows what notifications look like and reports nothing. */
  isSample: Unsafe<boolean>({ type: 'boolean' }),
  createTime: DateTime({ title: ['时间', 'Time'] }),
});

/** A notification in the language of its recipient. */
export type InboxEntry = Static<typeof Entry>;

const Counts = Shape({
  mail: Whole({ title: ['邮件', 'Mail'] }),
  message: Whole({ title: ['消息', 'Messages'] }),
  notice: Whole({ title: ['通知', 'Notices'] }),
});

/** Number of unread notifications of each type. */
export type InboxCounts = Static<typeof Counts>;

/** Notifications of the signed-in user; users cannot read those of others. */
export const inbox = {
  /** Lists notifications, newest first; `before` is the id of the last entry already loaded. */
  list: get('/api/blade-desk/inbox/list', {
    title: ['通知列表', 'Notifications'],
    who: 'signedIn',
    input: Shape({ kind: Kind, before: Omissible(Id()), size: Omissible(Whole({ title: ['条数', 'Size'], minimum: 1, maximum: 50 })) }),
    reply: Unsafe<{ entries: InboxEntry[]; hasMore: boolean }>({
      type: 'object',
      required: ['entries', 'hasMore'],
      properties: { entries: { type: 'array', items: Entry }, hasMore: { type: 'boolean' } },
    }),
  }),
  unread: get('/api/blade-desk/inbox/unread', { title: ['未读数量', 'Unread counts'], who: 'signedIn', input: Nothing, reply: Counts }),
  read: post('/api/blade-desk/inbox/read', { title: ['标为已读', 'Mark as read'], who: 'signedIn', input: Ids, reply: Done }),
  readAll: post('/api/blade-desk/inbox/read-all', { title: ['全部已读', 'Mark all as read'], who: 'signedIn', input: Shape({ kind: Kind }), reply: Done }),
  /** Removes the sample notifications of the caller. */
  removeSamples: post('/api/blade-desk/inbox/remove-samples', { title: ['移除示例', 'Remove samples'], who: 'signedIn', input: Nothing, reply: Done }),
};

/** A notification arrived, or was read in another tab or on another device. */
export const InboxChanged = event<{ kind: InboxKind }>('inbox:changed');
