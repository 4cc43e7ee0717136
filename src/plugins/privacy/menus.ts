import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const personMenu = menu({
  code: 'person',
  title: ['个人数据', 'Personal data'],
  path: '/authority/person',
  under: menuGroups.authority,
  icon: 'lock',
  sort: 9,
  buttons: [
    { code: 'person_export', title: ['导出个人数据', 'Export personal data'] },
    { code: 'person_erase', title: ['删除个人数据', 'Erase personal data'] },
  ],
});
