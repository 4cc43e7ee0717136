import { definePlugin, page } from '#kernel';
import { noticeMenu, noticeReadingMenu } from '../menus.ts';

/** Notices: announcements to all or selected users, with scheduled release and read receipts. */
export default definePlugin({
  id: 'notice',
  title: ['通知公告', 'Notices'],
  dependencies: ['organization'],
  pages: [page(noticeMenu, () => import('./NoticePage.tsx')), page(noticeReadingMenu, () => import('./ReadingPage.tsx'))],
});
