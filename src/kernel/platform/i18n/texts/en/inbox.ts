import type { ConsoleTexts } from '../shape.ts';

export const inbox: ConsoleTexts['inbox'] = {
  open: 'Notifications',
  openUnread: 'Notifications, {count} unread',
  title: 'Notifications',
  mail: 'Mail',
  message: 'Messages',
  notice: 'Notices',
  unread: 'Unread',
  readAll: 'Mark all as read',
  removeSamples: 'Remove samples',
  more: 'Load more',
  loading: 'Loading…',
  failed: 'Could not load. Try again.',
  none: { mail: 'No mail', message: 'No messages', notice: 'No notices' },
  started: 'Started',
  notStarted: 'Not started',
  hasErrors: 'Has errors',
  completed: 'Completed',
};
