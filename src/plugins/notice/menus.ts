import { menu } from '#shared/menu-entry';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

export const noticeMenu = menu({
  code: 'notice',
  title: ['通知公告', 'Notices'],
  path: '/desk/notice',
  under: 'desk',
  icon: 'notification',
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const noticeReadingMenu = menu({
  code: 'notice_reading',
  title: ['公告阅读', 'Read notices'],
  path: '/desk/reading',
  under: 'desk',
  icon: 'email',
  isForEveryone: true,
});
