import type { LocalizedText } from '#shared/text';
import { receiptStates } from '../contract.ts';
import { receiptMessages } from './messages.ts';

/** Returns the message after a receipt was recorded; one above the limit waits for approval instead. */
export const recordedMessage =
  (message: LocalizedText) =>
  (answer: object): LocalizedText =>
    'state' in answer && answer.state === receiptStates.awaiting ? receiptMessages.awaits : message;
