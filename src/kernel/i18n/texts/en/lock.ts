import type { Texts } from '../../texts.ts';

export const lock: Texts['lock'] = {
  title: 'Screen locked',
  lockScreen: 'Lock screen',
  explained: 'Pages are hidden and the server refuses all requests until you enter the password. What you typed is kept.',
  password: 'Lock password',
  enterPassword: 'Enter a lock password',
  setFirst: 'Set a lock password',
  confirm: 'Lock now',
  cancel: 'Cancel',
  idle: 'Lock when idle',
  idleNever: 'Never',
  idleMinutes: 'After {minutes} minutes',
  idleExplained: 'If the screen locks itself, unlock it with your sign-in password.',
  unlockHint: 'Enter your lock password to continue, or your sign-in password if the screen locked itself.',
  unlockPassword: 'Password',
  unlock: 'Unlock',
  unlocking: 'Unlocking…',
  enterUnlockPassword: 'Enter the password',
  signOut: 'Sign out',
  signOutHint: 'Forgot it? Sign out and sign in again. Unsaved work will be lost.',
};
