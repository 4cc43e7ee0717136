import { type RefObject, useEffect } from 'react';
import { matchesSearch } from '../../ui/fields/search-match.ts';
import { setAttributes } from '../../ui/primitives/NamedSelect.tsx';
import type { InputProps, ParentTree } from '../model/crud-screen.ts';
import type { FormField } from '../model/entity-fields.ts';
import type { ParentTrees } from '../model/parent-trees.ts';

/** Props of a control. */
export interface ControlProps extends InputProps {
  readonly field: FormField;
  readonly parents?: ParentTree | undefined;
  /** Trees of the parents of this form's rows, for the control of a parent. */
  readonly trees?: ParentTrees;
  /** Id of the edited row, which cannot be its own parent. */
  readonly rowId?: string | undefined;
  /** Title of the referenced row, `deptName` for `deptId`; of a secret what lists show of it. */
  readonly title?: string | undefined;
  /** Input that other fields pass to the call of this one, as JSON. */
  readonly callInput?: string | undefined;
}

type AriaControlProps = Pick<ControlProps, 'id' | 'field' | 'disabled' | 'isInvalid' | 'describedBy'>;

/** Props of a plain Arco input. */
export const inputProps = ({ id, disabled, isInvalid, describedBy, field }: AriaControlProps) => ({
  id,
  disabled,
  ...(isInvalid ? { status: 'error' as const } : {}),
  'aria-required': field.required,
  'aria-describedby': describedBy,
});

/** Sets the accessible name and description of an Arco component that accepts neither, on the first element in `box` that matches `selector`. */
export function useAccessibleName(box: RefObject<Element | null>, selector: string, { id, field, isInvalid, describedBy }: AriaControlProps): void {
  useEffect(() => {
    const control = box.current?.querySelector(selector);
    if (!control) return;
    const state = { 'aria-required': field.required, 'aria-invalid': isInvalid || undefined, 'aria-describedby': describedBy };
    setAttributes(control, { 'aria-labelledby': `${id}-label`, ...(selector === 'input' ? { id } : {}), ...state });
    // A multiple select contains another input.
    const inner = control.querySelector('.arco-input-tag-input');
    if (inner) setAttributes(inner, { 'aria-labelledby': `${id}-label` });
  });
}

/** Sets accessible names for the inputs of a range picker; the first input gets the id that the label refers to. */
export function useInputNames(box: RefObject<Element | null>, names: readonly string[], id: string, state: Parameters<typeof setAttributes>[1] = {}): void {
  useEffect(() => {
    box.current?.querySelectorAll('input').forEach((input, index) => {
      setAttributes(input, { 'aria-label': names[index], ...(index === 0 ? { id } : {}), ...state });
    });
  });
}

/** Tells whether the user can clear the control. */
export const isClearable = ({ required, traits }: FormField): boolean => !required || traits.clearable === true;

/** Option of a select, radio group or check boxes, in the current language. */
interface ChoiceOption {
  readonly value: string | number;
  readonly label: string;
}

/** Props of a control with options. */
export type ChoicesProps = ControlProps & { readonly options: readonly ChoiceOption[] };

/** Props of a single select. */
export const selectProps = ({ id, field, describedBy, disabled, isInvalid }: ControlProps, name: string, placeholder: string) => ({
  placeholder,
  id,
  name,
  describedBy,
  required: field.required,
  disabled,
  allowClear: isClearable(field),
  ...(isInvalid ? { status: 'error' as const } : {}),
});

/** Returns the values of a field as a list; a single value becomes a list of one. */
export const listOf = (value: unknown): string[] => (value === null || value === undefined || value === '' ? [] : [value].flat().map(String));

/** Tells whether an option of a select contains the typed text, as written or by pinyin. */
export const matchesTyped = (typed: string, option: { readonly props?: unknown }): boolean =>
  matchesSearch(String((option.props as { children?: unknown }).children), typed);
