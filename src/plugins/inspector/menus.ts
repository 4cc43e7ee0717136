import { menu } from '#shared/menu-entry';

/** The route of the inspector, which is in no menu. */
export const inspectorRoute = menu({ code: 'inspector', title: ['/dev/kernel', '/dev/kernel'], path: '/dev/kernel' });
