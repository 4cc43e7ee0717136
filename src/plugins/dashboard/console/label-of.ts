import type { ChartRow } from '#shared/figures';
import type { Words } from '#shared/text';

/** What a row of a chart is called. */
export const labelOf = ({ label }: ChartRow, say: (words: Words) => string): string => (typeof label === 'string' ? label : say(label));
