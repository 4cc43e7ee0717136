import { traitsOf } from '#shared/fields';
import type { Words } from '#shared/text';

/** Returns the title of a field. */
export const titleOf = (field: Parameters<typeof traitsOf>[0]): Words => traitsOf(field)?.title ?? ['', ''];
