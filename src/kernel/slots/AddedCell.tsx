import type { ComponentType, ReactNode } from 'react';
import type { InputProps, Row } from '../crud/crud-screen.ts';
import { Guest } from './Guest.tsx';
import type { Filled } from './slots.ts';

/** Draws cells with the services of the plugin they are of. */
export const addedCell =
  (of: Filled<unknown>, Cell: ComponentType<{ readonly row: Row }>) =>
  (row: Row): ReactNode => (
    <Guest of={of}>
      <Cell row={row} />
    </Guest>
  );

/** Enters a field with the services of the plugin its control is of. */
export const addedControl = (of: Filled<unknown>, Control: ComponentType<InputProps>): ComponentType<InputProps> =>
  function AddedControl(props) {
    return (
      <Guest of={of}>
        <Control {...props} />
      </Guest>
    );
  };
