import { sql } from 'drizzle-orm';
import { type MailKind, queryRows, type ServerContext } from '#server';
import type { LocalizedText } from '#shared/text';
import { paymentRunMenu, payoutMenu, receiptMenu } from '../menus.ts';
import { usersWith } from './users-with.ts';

const approveCode = 'payout_approve';
const approveReceiptCode = 'receipt_approve';

/** Topic of payments that wait for approval. */
export const approvalMail: MailKind = {
  code: 'payment:approval',
  use: 'notification',
  title: ['付款待复核', 'Payments to approve'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}', '{body}'],
  ],
  action: ['去复核', 'Review'],
  sample: { title: ['12 笔付款待复核', 'Payments to approve: 12'], body: ['申请人：王芳', 'Requested by: Wang Fang'] },
};

/** Topic of receipts and refunds that wait for approval. */
export const receiptMail: MailKind = {
  ...approvalMail,
  code: 'payment:receipt-approval',
  title: ['收退款待复核', 'Receipts to approve'],
  sample: { title: ['1 笔收退款待复核', 'Receipts to approve: 1'], body: ['登记人：王芳', 'Recorded by: Wang Fang'] },
};

interface RequestedPayments {
  readonly tenantId: string;
  /** Undefined for automatic payments. */
  readonly requester: string | undefined;
  readonly runNo: string;
  readonly count: number;
}

/** Notifies the users who may approve payouts, except the requester, as part of the current transaction. Amounts are left to the page, which knows who may see them. */
export async function notifyApprovers({ db, inbox }: Pick<ServerContext, 'db' | 'inbox'>, payments: RequestedPayments): Promise<void> {
  const { tenantId, requester, runNo, count } = payments;
  const approvers = (await usersWith(db, tenantId, approveCode)).filter((id) => id !== requester);
  if (approvers.length === 0) return;
  const name = await nameOf(db, requester);
  const [run] = await queryRows<{ id: string }>(db, sql`select id::text as id from payment_run where run_no = ${runNo}`);
  await inbox.deliver({
    users: approvers,
    kind: 'message',
    topic: approvalMail.code,
    title: [`${count} 笔付款待复核`, `Payments to approve: ${count}`],
    ...(name ? { body: [`申请人：${name}`, `Requested by: ${name}`] as const } : {}),
    link: `${paymentRunMenu.path}/index?record=${run?.id}&mode=page`,
  });
}

/** A row that waits for approval, and the user who has recorded it. */
interface RecordedRow {
  readonly tenantId: string;
  readonly requester: string;
  readonly id: string;
}

/** Notifies the users who may approve receipts, except the one who recorded this one, as part of the current transaction. */
export const notifyReceiptApprovers = (context: Pick<ServerContext, 'db' | 'inbox'>, row: RecordedRow): Promise<void> =>
  notifyOfRecord(context, row, {
    ...{ code: approveReceiptCode, topic: receiptMail.code, path: receiptMenu.path },
    title: ['1 笔收退款待复核', 'Receipts to approve: 1'],
  });

/** Notifies the users who may approve payouts, except the one who recorded this outcome, as part of the current transaction. */
export const notifyOutcomeApprovers = (context: Pick<ServerContext, 'db' | 'inbox'>, row: RecordedRow): Promise<void> =>
  notifyOfRecord(context, row, {
    ...{ code: approveCode, topic: approvalMail.code, path: payoutMenu.path },
    title: ['1 笔付款的登记结果待复核', 'Payment outcomes to approve: 1'],
  });

interface RecordNotice {
  /** Permission of the approvers. */
  readonly code: string;
  readonly topic: string;
  readonly title: LocalizedText;
  /** Page of the row. */
  readonly path: string;
}

async function notifyOfRecord(
  { db, inbox }: Pick<ServerContext, 'db' | 'inbox'>,
  { tenantId, requester, id }: RecordedRow,
  { code, topic, title, path }: RecordNotice,
): Promise<void> {
  const approvers = (await usersWith(db, tenantId, code)).filter((one) => one !== requester);
  if (approvers.length === 0) return;
  const name = await nameOf(db, requester);
  const body = name ? { body: [`登记人：${name}`, `Recorded by: ${name}`] as const } : {};
  await inbox.deliver({ users: approvers, kind: 'message', topic, title, ...body, link: `${path}/index?record=${id}&mode=page` });
}

async function nameOf(db: ServerContext['db'], userId: string | undefined): Promise<string | undefined> {
  const [user] = await queryRows<{ name: string }>(db, sql`select real_name as name from user_account where id = ${userId ?? null}::bigint`);
  return user?.name;
}
