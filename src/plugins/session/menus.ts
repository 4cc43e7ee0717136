import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const onlineMenu = menu({
  code: 'online',
  title: ['在线用户', 'Online users'],
  path: '/monitor/online',
  under: menuGroups.monitor,
  icon: 'user-group',
  buttons: [
    { code: 'online_kick', title: ['强制下线', 'End session'] },
    { code: 'user_unlock', title: ['解锁账号', 'Unlock account'] },
    { code: 'user_reset_mfa', title: ['重置二次验证', 'Reset two-step verification'] },
  ],
});
