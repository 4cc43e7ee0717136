import { type PersonalRecords, recordsOf } from '#server';
import { Tenant } from '../contract.ts';

/** Contacts of tenants, by their phone number. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(Tenant, { title: ['租户联系人', 'Contacts of tenants'], person: { contactNumber: 'phone' }, fields: ['linkman', 'contactNumber', 'address'] }),
];
