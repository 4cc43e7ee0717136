import { createContext, useContext } from 'react';
import type { RelatedList } from '#shared/record-uses';
import type { CrudPageProps } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';

type ShownList = Pick<RelatedList, 'list' | 'field' | 'value' | 'filter'>;

/** The list of a page that a record shows among its parts: its rows are those that refer to the record. */
export const ShownRelation = createContext<ShownList | undefined>(undefined);

/** Returns the field and value by which this page is restricted to the rows of a record that shows it; undefined for a page of its own. */
export const useShownRelation = (): Pick<RelatedList, 'field' | 'value'> | undefined => useContext(ShownRelation);

/** Restricts a list to the rows that refer to a record; other lists of the page stay as they are. */
export function relatedProps(props: CrudPageProps, relation: ShownList | undefined): CrudPageProps {
  if (relation === undefined || props.crud.list.path !== relation.list) return props;
  const { field, value } = relation;
  const others = Object.entries(relation.filter ?? {}).map(([name, filterValue]) => [`${name}_equal`, filterValue] as const);
  return { ...props, filter: { ...props.filter, ...Object.fromEntries(others), [`${field}_equal`]: value }, initial: { ...props.initial, [field]: value } };
}

/** True for a field that has the same value in all rows of such a list, which needs no column. */
export const isFixed = ({ name, traits }: ScreenField, filter: CrudPageProps['filter']): boolean => !traits.multiple && filter?.[`${name}_equal`] !== undefined;
