import type { LocalizedText } from '../text/text.ts';
import type { FigureRows } from './figures.ts';

/** Records of one type that refer to a record, counted up to 10,001. */
export interface RecordUse {
  readonly title: LocalizedText;
  readonly count: number;
  /** List of these records, where their page has a filter for them. */
  readonly rows?: FigureRows;
}

/** `data` of the error for a deletion that is refused because the records are in use. */
export interface InUseData {
  readonly uses: readonly RecordUse[];
}
