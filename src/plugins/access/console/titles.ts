import { traitsOf } from '#shared/fields';
import type { Words } from '#shared/text';

/** What a field is called. */
export const titleOf = (field: Parameters<typeof traitsOf>[0]): Words => traitsOf(field)?.title ?? ['', ''];
