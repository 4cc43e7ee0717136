import type { LocalizedText } from '#shared/text';

/** Labels of the bell, apart from the texts of the opened inbox because every console loads them at the start. */
export const bellMessages = {
  open: ['通知', 'Notifications'],
  openUnread: ['通知，{count} 条未读', 'Notifications, {count} unread'],
} as const satisfies Record<string, LocalizedText>;
