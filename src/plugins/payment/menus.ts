import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const ledgerMenu = menu({
  code: 'ledger',
  title: ['资金流水', 'Ledger'],
  path: '/task/ledger',
  under: 'task',
  icon: 'book',
  sort: 6,
  buttons: ['add', 'view', 'export'],
});
