import type { Texts } from '../../texts.ts';

export const connection: Texts['connection'] = {
  offline: 'You are offline. What you typed is kept.',
  lost: 'Cannot reach the server. Trying again…',
  slow: 'The connection is slow. One moment…',
  back: 'Back online',
  look: 'Try now',
  newVersion: 'A new version is ready',
  newVersionHint: 'Reload the page to use it.',
  newVersionUnsaved: 'You have unsaved changes. Save them before you reload.',
  reload: 'Reload',
  later: 'Later',
};
