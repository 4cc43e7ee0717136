import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const regionMenu = menu({
  code: 'region',
  title: ['行政区划', 'Regions'],
  path: '/base/region',
  under: 'base',
  icon: 'location',
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});
