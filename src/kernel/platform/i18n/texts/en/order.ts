import type { Texts } from '../shape.ts';

/** English texts of reorderable lists. */
export const order: Texts['order'] = {
  hint: 'Drag rows or use the arrows. Changes are saved automatically.',
  up: 'Move {title} up',
  down: 'Move {title} down',
  moved: '{title}: {place} of {count}',
};
