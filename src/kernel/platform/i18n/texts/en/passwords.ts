import type { Texts } from '../shape.ts';

/** Texts of the one-time password dialog. */
export const passwords: Texts['passwords'] = {
  title: 'One-time passwords',
  once: 'These passwords are shown only once. Share them now. They are valid until {time} and must be changed at first sign-in.',
  account: 'Account',
  name: 'Name',
  password: 'Password',
  copyAll: 'Copy all',
  copied: 'Copied',
  copyFailed: 'Could not copy. Download the list or select the text.',
  download: 'Download CSV',
  file: 'one-time-passwords',
  close: 'Close',
  closeTitle: 'Passwords not saved',
  closeQuestion: 'Nothing has been copied or downloaded yet. Once closed, the passwords cannot be shown again, only reset.',
  closeAnyway: 'Close anyway',
  goBack: 'Go back',
  show: 'Show one-time passwords',
};
