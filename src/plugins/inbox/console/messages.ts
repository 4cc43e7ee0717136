import { type InboxKind, type InboxStatus, inboxStatuses } from '#shared/inbox';
import type { LocalizedText } from '#shared/text';

/** Texts of the opened inbox. */
export const inboxMessages = {
  title: ['通知', 'Notifications'],
  kinds: { mail: ['邮件', 'Mail'], message: ['消息', 'Messages'], notice: ['通知', 'Notices'] } satisfies Record<InboxKind, LocalizedText>,
  unread: ['未读', 'Unread'],
  readAll: ['全部标为已读', 'Mark all as read'],
  removeSamples: ['移除示例', 'Remove samples'],
  more: ['加载更多', 'Load more'],
  loading: ['正在加载…', 'Loading…'],
  failed: ['加载失败，请稍后再试。', 'Could not load notifications.'],
  none: { mail: ['没有邮件', 'No mail'], message: ['没有消息', 'No messages'], notice: ['没有通知', 'No notices'] } satisfies Record<InboxKind, LocalizedText>,
  statuses: {
    [inboxStatuses.started]: ['进行中', 'In progress'],
    [inboxStatuses.notStarted]: ['未开始', 'Not started'],
    [inboxStatuses.hasErrors]: ['有异常', 'Has errors'],
    [inboxStatuses.completed]: ['已完成', 'Completed'],
  } satisfies Record<InboxStatus, LocalizedText>,
} as const;
