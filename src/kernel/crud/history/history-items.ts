import type { ComponentType } from 'react';
import { slot } from '../../ui/slots/slots.ts';
import type { CrudCalls } from '../model/crud-screen.ts';

/** An item above the history of a record. It renders nothing for a record whose screen lacks its calls, or whose permission codes the user lacks. */
export interface RecordHistoryItem {
  readonly Item: ComponentType<{ readonly crud: CrudCalls; readonly id: string }>;
}

/** Items that plugins add above the history of every record. */
export const RecordHistoryItems = slot<RecordHistoryItem>('kernel:record-history-items');
