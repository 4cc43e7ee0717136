/** States of a task. */
export const taskStates = { draft: 0, waiting: 1, published: 2, takenDown: 3, finished: 4 } as const;
/** States of the review of a submission. */
export const reviewStates = { pending: 0, approved: 1, rejected: 2, inProgress: 3, expired: 4 } as const;
/** States of the payment for a submission. */
export const payStates = { unpaid: 0, processing: 1, paid: 2, failed: 3 } as const;
/** States in which a task can be edited, deleted, published and taken down. */
export const taskTransitions: Readonly<Record<'change' | 'publish' | 'takeDown', readonly number[]>> = {
  change: [taskStates.draft, taskStates.waiting, taskStates.takenDown],
  publish: [taskStates.waiting, taskStates.takenDown],
  takeDown: [taskStates.published],
};
