import { definePlugin, page } from '#kernel';
import { noticeMenu, noticeReadingMenu } from '../menus.ts';

/** Notices: what head office tells everybody or some, when they are told, and who has read it. */
export default definePlugin({
  id: 'notice',
  title: ['通知公告', 'Notices'],
  needs: ['organization'],
  pages: [page(noticeMenu, () => import('./NoticePage.tsx')), page(noticeReadingMenu, () => import('./ReadingPage.tsx'))],
});
