import type { Texts } from '../../texts.ts';

/** In English: looking at the console as other roles. */
export const preview: Texts['preview'] = {
  title: 'Viewing as another role',
  as: 'Viewing as {roles}.',
  none: 'a role that no longer exists',
  readOnly: 'Menu, buttons and data are theirs. Nothing can be changed.',
  end: 'End preview',
  ended: 'You are back to your own roles',
};
