import type { Texts } from '../shape.ts';

export const acting: Texts['acting'] = {
  title: 'Switch department or role',
  explanation: 'You will see only the menu and data of this department and role. Open pages will be closed.',
  dept: 'Department',
  role: 'Role',
  chooseDept: 'Select a department',
  chooseRole: 'Select a role',
  confirm: 'Switch',
  cancel: 'Cancel',
  loading: 'Loading your departments and roles',
  failed: 'Could not switch. Try again.',
  switched: 'Switched to {role}, {dept}',
};
