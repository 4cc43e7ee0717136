import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const onlineMenu = menu({
  code: 'online',
  title: ['在线用户', 'Online users'],
  path: '/monitor/online',
  under: 'monitor',
  icon: 'user-group',
  buttons: [
    { code: 'online_kick', title: ['强制下线', 'End session'] },
    { code: 'user_unlock', title: ['解锁账号', 'Unlock account'] },
    { code: 'user_reset_mfa', title: ['重置二次验证', 'Reset second factor'] },
  ],
});
