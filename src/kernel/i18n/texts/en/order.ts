import type { Texts } from '../../texts.ts';

/** In English: putting rows in order. */
export const order: Texts['order'] = {
  hint: 'Drag, or use the arrows; saved as you let go',
  up: 'Move {title} up',
  down: 'Move {title} down',
  moved: '{title}: {place} of {count}',
};
