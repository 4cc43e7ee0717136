import type { ComponentType } from 'react';
import { slot } from '../../ui/slots/slots.ts';
import type { CrudCalls } from '../model/crud-screen.ts';

/** Props of an action on a saved view. */
export interface ViewActionProps {
  readonly crud: CrudCalls;
  /** Name of one of the user's own views. */
  readonly view: string;
}

/** A small button beside each of the user's saved views, such as one that mails the view. */
export interface ViewAction {
  readonly Item: ComponentType<ViewActionProps>;
}

/** Actions that plugins add to the saved views of all lists. */
export const ViewActions = slot<ViewAction>('kernel:view-actions');
