import { problem } from '#shared/errors';

/** The SQLSTATE with which the database refuses one account too many, whichever way it comes. */
export const quotaState = 'MQ001';

/** Why no further account is added. */
export const quotaReached = problem(409, ['租户账号数量已达上限', 'The tenant has as many accounts as it may have.']);
