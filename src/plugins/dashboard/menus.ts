import { menu } from '#shared/menu-entry';

// Fixed addresses of everybody's console, `product.md` §2: they stand in no menu, so the server seeds none.

export const homeMenu = menu({ code: 'home', title: ['首页', 'Home'], path: '/wel' });

export const consoleMenu = menu({ code: 'console', title: ['控制台', 'Console'], path: '/wel/dashboard' });
