import { type RefObject, useEffect } from 'react';
import type { InputProps, ParentTree } from '../../crud-screen.ts';
import type { FormField } from '../../entity-fields.ts';
import { setAttributes } from '../../NamedSelect.tsx';
import type { ParentTrees } from '../../parent-trees.ts';

/** What a control is told about its field. */
export interface ControlProps extends InputProps {
  readonly field: FormField;
  readonly parents?: ParentTree | undefined;
  readonly trees: ParentTrees;
  /** The row that is edited: it cannot stand below itself. */
  readonly rowId?: string | undefined;
  /** What the row calls the value it refers to: `deptName` for `deptId`. */
  readonly title?: string | undefined;
  /** What other fields give to the call behind this one, as JSON. */
  readonly given?: string | undefined;
}

type Described = Pick<ControlProps, 'id' | 'field' | 'disabled' | 'isWrong' | 'describedBy'>;

/** What a plain input of Arco is told. */
export const plainProps = ({ id, disabled, isWrong, describedBy, field }: Described) => ({
  id,
  disabled,
  ...(isWrong ? { status: 'error' as const } : {}),
  'aria-required': field.required,
  'aria-describedby': describedBy,
});

/** Names and describes, for those who do not see it, what a component of Arco lets nobody name: the first `selector` inside the box. */
export function useNaming(box: RefObject<Element | null>, selector: string, { id, field, isWrong, describedBy }: Described): void {
  useEffect(() => {
    const control = box.current?.querySelector(selector);
    if (!control) return;
    const state = { 'aria-required': field.required, 'aria-invalid': isWrong || undefined, 'aria-describedby': describedBy };
    setAttributes(control, { 'aria-labelledby': `${id}-label`, ...(selector === 'input' ? { id } : {}), ...state });
  });
}

/** The values of a field that holds several, or its one value in a list. */
export const listOf = (value: unknown): string[] => (value === null || value === undefined || value === '' ? [] : [value].flat().map(String));

/** Whether an option of a select holds what was typed. */
export const isFound = (typed: string, option: { readonly props?: unknown }): boolean =>
  String((option.props as { children?: unknown }).children)
    .toLowerCase()
    .includes(typed.toLowerCase());
