import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const noticeMenu = menu({
  code: 'notice',
  title: ['通知公告', 'Notices'],
  path: '/desk/notice',
  under: menuGroups.desk,
  icon: 'notification',
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const noticeReadingMenu = menu({
  code: 'notice_reading',
  title: ['公告阅读', 'My notices'],
  path: '/desk/reading',
  under: menuGroups.desk,
  icon: 'email',
  isForEveryone: true,
});
