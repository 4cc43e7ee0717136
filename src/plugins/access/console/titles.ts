import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';

/** Returns the title of a field. */
export const titleOf = (field: Parameters<typeof traitsOf>[0]): LocalizedText => traitsOf(field)?.title ?? ['', ''];
