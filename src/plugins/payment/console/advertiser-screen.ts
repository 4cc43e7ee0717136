import type { CrudScreen, ScreenAddition } from '#kernel';
import { type AdvertiserRow, advertiser } from '#plugins/base-data/contract';
import { LedgerPosting, receipt } from '../contract.ts';
import { AdvertiserMoney, Balance } from './AdvertiserMoney.tsx';
import { advertiserMessages, recordedMessage } from './messages.ts';

const recordReceipt = ({ id, name }: AdvertiserRow, { openRowAction }: CrudScreen<AdvertiserRow>) => {
  const [zh, en] = advertiserMessages.receipt;
  openRowAction(
    {},
    {
      title: [`${zh}：${name}`, `${en}: ${name}`],
      confirm: advertiserMessages.record,
      done: recordedMessage(advertiserMessages.recorded),
      call: receipt.submit,
      entity: LedgerPosting,
      fields: ['amount', 'remark', 'voucher'],
      input: { advertiserId: id },
    },
  );
};

const changeCredit = (row: AdvertiserRow, { openRowAction }: CrudScreen<AdvertiserRow>) => {
  const [zh, en] = advertiserMessages.credit;
  const title = [`${zh}：${row.name}`, `${en}: ${row.name}`] as const;
  openRowAction(row, {
    title,
    confirm: advertiserMessages.save,
    done: advertiserMessages.saved,
    call: advertiser.submit,
    fields: ['credit_limit'],
    input: { version: row.version },
  });
};

/** Shows the money of an advertiser with the record, and offers what changes it. */
export default (): ScreenAddition<AdvertiserRow> => ({
  overrides: { balance: { render: Balance } },
  Summary: AdvertiserMoney,
  actions: {
    row: [
      { title: advertiserMessages.receipt, code: 'receipt_add', isPrimary: true, onClick: recordReceipt },
      { title: advertiserMessages.credit, code: 'advertiser_edit', when: ({ credit_limit }) => credit_limit !== undefined, onClick: changeCredit },
    ],
  },
});
