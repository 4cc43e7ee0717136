/** Types of notification, one per tab of the inbox. */
export const inboxKinds = ['mail', 'message', 'notice'] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** Progress of the work that a notification reports, as the number that is stored and sent; 2 is not used. */
export const inboxStatuses = { started: 0, notStarted: 1, hasErrors: 3, completed: 4 } as const;
export type InboxStatus = (typeof inboxStatuses)[keyof typeof inboxStatuses];
