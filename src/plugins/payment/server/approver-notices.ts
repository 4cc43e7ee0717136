import { sql } from 'drizzle-orm';
import { type MailKind, queryRows, type ServerContext } from '#server';
import { paymentRunMenu } from '../menus.ts';
import { usersWith } from './users-with.ts';

const approveCode = 'payout_approve';

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

interface RequestedPayments {
  readonly tenantId: string;
  /** Undefined for automatic payments. */
  readonly requester: string | undefined;
  readonly runNo: string;
  readonly count: number;
}

/** Tells the users who may approve payouts, but the one who requested these, as part of the current transaction. Amounts are left to the page, which knows who may see them. */
export async function notifyApprovers({ db, inbox }: Pick<ServerContext, 'db' | 'inbox'>, payments: RequestedPayments): Promise<void> {
  const { tenantId, requester, runNo, count } = payments;
  const approvers = (await usersWith(db, tenantId, approveCode)).filter((id) => id !== requester);
  if (approvers.length === 0) return;
  const [asked] = await queryRows<{ name: string }>(db, sql`select real_name as name from user_account where id = ${requester ?? null}::bigint`);
  const [run] = await queryRows<{ id: string }>(db, sql`select id::text as id from payment_run where run_no = ${runNo}`);
  await inbox.deliver({
    users: approvers,
    kind: 'message',
    topic: approvalMail.code,
    title: [`${count} 笔付款待复核`, `Payments to approve: ${count}`],
    ...(asked?.name ? { body: [`申请人：${asked.name}`, `Requested by: ${asked.name}`] as const } : {}),
    link: `${paymentRunMenu.path}/index?record=${run?.id}&mode=page`,
  });
}
