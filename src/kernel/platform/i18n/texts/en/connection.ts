import type { Texts } from '../shape.ts';

export const connection: Texts['connection'] = {
  offline: 'You are offline. Your input will not be lost.',
  lost: 'Cannot reach the server. Retrying…',
  slow: 'The connection is slow. Please wait…',
  back: 'Back online',
  look: 'Retry now',
  newVersion: 'A new version is available',
  newVersionHint: 'Reload the page to use it.',
  newVersionUnsaved: 'You have unsaved changes. Save them before you reload.',
  reload: 'Reload',
  later: 'Later',
};
