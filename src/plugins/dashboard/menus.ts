import { menu } from '#shared/menu-entry';

// These pages have fixed addresses in every console and appear in no menu, so the server seeds no menu entries for them.

export const homeMenu = menu({ code: 'home', title: ['首页', 'Home'], path: '/wel' });

export const consoleMenu = menu({ code: 'console', title: ['控制台', 'Console'], path: '/wel/dashboard' });
