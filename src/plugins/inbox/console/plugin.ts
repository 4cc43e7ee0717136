import { contribute, definePlugin, HeaderItems, Http, Live } from '#kernel';
import { InboxStore } from './inbox-store.ts';
import { NotificationBell } from './NotificationBell.tsx';

/** Inbox: notifications of the signed-in user, under the bell in the top bar. */
export default definePlugin({
  id: 'inbox',
  title: ['通知中心', 'Inbox'],
  provide: (provide) => provide(InboxStore, [Http, Live]),
  contributions: [contribute(HeaderItems, { Item: NotificationBell })],
});
