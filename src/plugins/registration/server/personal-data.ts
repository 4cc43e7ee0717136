import { type PersonalRecords, recordsOf } from '#server';
import { registrationStatuses } from '#shared/registration';
import { Registration, refusedDays } from '../contract.ts';

/** Requests for an account. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(Registration, {
    title: ['注册申请', 'Registrations'],
    person: { userId: 'user', phone: 'phone', email: 'email' },
    erase: { account: 'erased-{id}', reason: null },
    retention: { days: refusedDays, since: 'decided_at', where: `decision = ${registrationStatuses.refused}` },
  }),
];
