import type { CSSProperties, ReactNode } from 'react';
import type { WrapContent } from '../../cells/Cell.tsx';
import type { Row } from '../../model/crud-screen.ts';

/** A column of the table. Its identity changes only when its cells must be rendered again, never with its width. */
export interface Column {
  readonly key: string;
  readonly title: string;
  readonly pin?: 'left' | 'right' | undefined;
  /** Offset of the pinned cells, which is a property of the table, so that a new width renders no cell again. */
  readonly pinStyle?: CSSProperties | undefined;
  /** True for numbers, which are aligned to the right. */
  readonly isNumber: boolean;
  /** True for cells that a page renders itself; the table clips them. */
  readonly isCustom: boolean;
  /** Field that the heading sorts by. */
  readonly sortField?: string | undefined;
  readonly render: (row: Row, wrap?: WrapContent) => ReactNode;
}

/** Joins the class names that apply. */
export const classNames = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

/** CSS class of the cells of a column. */
export const cellClass = ({ isNumber, isCustom, pin }: Pick<Column, 'isNumber' | 'isCustom' | 'pin'>): string | undefined =>
  classNames(isNumber && 'crud-table__number', isCustom && 'crud-table__foreign', pin && `crud-table__pinned crud-table__pinned_${pin}`) || undefined;

/** Name of the CSS property with the offset of a pinned column. */
export const pinProperty = (key: string): string => `--pin-${key.replace(/\W/g, '-')}`;
