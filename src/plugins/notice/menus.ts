import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

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
