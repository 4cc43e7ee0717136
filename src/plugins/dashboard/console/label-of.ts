import type { ChartRow } from '#shared/figures';
import type { LocalizedText } from '#shared/text';

/** Returns the label of a chart row. */
export const labelOf = ({ label }: ChartRow, t: (text: LocalizedText) => string): string => (typeof label === 'string' ? label : t(label));
