/** Storage keys of the data a session leaves in the browser beside its tokens; signing out removes all of it. */
export const sessionKeys = {
  /** Account that has locked its screen, in local storage. */
  lock: 'locked',
  /** Marks a lock that the server has not confirmed yet, in local storage. */
  unconfirmedLock: 'lock-untold',
  /** Last known menu, in session storage. */
  menu: 'menu',
  /** Last known permission codes, in session storage. */
  permissions: 'buttons',
  /** Prefix of the open tabs in session storage; the owner follows. */
  tabs: 'tabs:',
} as const;
