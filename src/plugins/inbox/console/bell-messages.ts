import type { LocalizedText } from '#shared/text';

/** Labels of the bell. They are in a file of their own because every console loads them at start. */
export const bellMessages = {
  open: ['通知', 'Notifications'],
  openUnread: ['通知，{count} 条未读', 'Notifications, {count} unread'],
} as const satisfies Record<string, LocalizedText>;
