import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const registrationMenu = menu({
  code: 'registration',
  title: ['注册审核', 'Registrations'],
  path: '/authority/registration',
  under: menuGroups.authority,
  icon: 'user-group',
  sort: 5,
  buttons: [
    'view',
    { code: 'registration_approve', title: ['通过', 'Approve'] },
    { code: 'registration_refuse', title: ['拒绝', 'Reject'] },
    showButton('registration_personal'),
  ],
});
