import { Attachment } from '#shared/fields';

/** Files that prove a movement of money. */
export const voucherField = Attachment({
  title: ['凭证', 'Voucher'],
  max: 5,
  accept: 'image/png,image/jpeg,image/webp,application/pdf',
  maxSize: 10 * 1024 * 1024,
});
