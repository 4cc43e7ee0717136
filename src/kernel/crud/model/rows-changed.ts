import { event } from '#shared/contract';

/** Emitted when an operator of this console has added, changed, removed or restored rows of an entity. */
export const RowsChanged = event<{ entity: string }>('crud:rows-changed');
