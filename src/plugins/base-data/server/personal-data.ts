import { type PersonalRecords, recordsOf } from '#server';
import { Advertiser } from '../contract.ts';

/** Contacts of advertisers, by their phone number. The company and its account stay. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(Advertiser, {
    title: ['广告主联系人', 'Contacts of advertisers'],
    person: { contact_phone: 'phone' },
    fields: ['contact_name', 'contact_phone', 'address'],
    erase: { contact_phone: '' },
  }),
];
