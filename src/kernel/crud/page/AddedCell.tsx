import type { ComponentType, ReactNode } from 'react';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import type { SlotContribution } from '../../ui/slots/slots.ts';
import type { InputProps, Row } from '../model/crud-screen.ts';

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
