import type { Texts } from '../shape.ts';

/** English texts of the preview with other roles. */
export const preview: Texts['preview'] = {
  title: 'Role preview',
  as: 'Viewing as {roles}.',
  none: 'a deleted role',
  readOnly: 'You see the menu, buttons and data of this role. Nothing can be changed.',
  end: 'End preview',
  ended: 'Preview ended',
};
