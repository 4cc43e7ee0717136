import type { ChartRow } from '#shared/figures';
import type { Words } from '#shared/text';

/** Returns the label of a chart row. */
export const labelOf = ({ label }: ChartRow, say: (words: Words) => string): string => (typeof label === 'string' ? label : say(label));
