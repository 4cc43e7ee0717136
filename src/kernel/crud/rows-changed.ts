import { event } from '#shared/contract';

/** An operator of this console has added, changed, removed or brought back rows of an entity. */
export const RowsChanged = event<{ entity: string }>('crud:rows-changed');
