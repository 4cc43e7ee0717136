interface SelectionCheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isMixed?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** Renders a native checkbox: a page renders a hundred of them, and Arco's consists of nine elements. */
export function SelectionCheckbox({ label, isChecked, isMixed = false, isDisabled = false, onChange }: SelectionCheckboxProps) {
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = isMixed;
      }}
      type="checkbox"
      className="crud-table__choose"
      aria-label={label}
      checked={isChecked}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
