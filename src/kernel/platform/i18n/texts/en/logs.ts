import type { Texts } from '../shape.ts';

export const logs: Texts['logs'] = {
  title: 'Error log',
  open: 'Error log, entries: {count}',
  explanation: 'Errors recently recorded in this browser.',
  type: 'Type',
  message: 'Message',
  address: 'Address',
  time: 'Time',
  error: 'Script error',
  rejection: 'Unhandled rejection',
  request: 'Failed request',
  plugin: 'Plugin error',
  upload: 'Upload',
  uploadQuestion: 'Upload these errors to the server?',
  uploaded: 'Sent',
  uploadFailed: 'Could not upload. Try again later.',
  clear: 'Clear',
  clearQuestion: 'Delete the errors recorded in this browser?',
  cleared: 'Cleared',
  none: 'No errors recorded.',
  noStack: 'No stack trace.',
};
