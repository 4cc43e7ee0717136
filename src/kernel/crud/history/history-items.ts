import type { ComponentType } from 'react';
import { slot } from '../../ui/slots/slots.ts';
import type { CrudCalls } from '../model/crud-screen.ts';

/** An item above the history of a record. It renders nothing if the screen of the record lacks the calls that it needs, or the user lacks their permission codes. */
export interface RecordHistoryItem {
  readonly Item: ComponentType<{ readonly crud: CrudCalls; readonly id: string }>;
}

/** Items that plugins add above the history of every record. */
export const RecordHistoryItems = slot<RecordHistoryItem>('kernel:record-history-items');
