import type { ComponentType, ReactNode } from 'react';
import type { InputProps, Row } from '../crud/crud-screen.ts';
import { ContributionBoundary } from './ContributionBoundary.tsx';
import type { SlotContribution } from './slots.ts';

/** Renders cells with the services of the plugin that adds them. */
export const addedCell =
  (of: SlotContribution<unknown>, Cell: ComponentType<{ readonly row: Row }>) =>
  (row: Row): ReactNode => (
    <ContributionBoundary of={of}>
      <Cell row={row} />
    </ContributionBoundary>
  );

/** Wraps a control with the services of the plugin that adds it. */
export const addedControl = (of: SlotContribution<unknown>, Control: ComponentType<InputProps>): ComponentType<InputProps> =>
  function AddedControl(props) {
    return (
      <ContributionBoundary of={of}>
        <Control {...props} />
      </ContributionBoundary>
    );
  };
