import { sql } from 'drizzle-orm';
import { type Database, type MailKind, queryRows, recordChange, type ServerContext } from '#server';
import { listAddress } from '#shared/list-address';
import { disabledReasons, Endpoint } from '../contract.ts';
import { webhookDeliveryMenu } from '../menus.ts';

/** Days without a success after which an endpoint is disabled once a delivery is given up. */
const maxFailingDays = 3;

/** Topic of endpoints that the server has disabled. */
export const disabledMail: MailKind = {
  code: 'webhooks:disabled',
  use: 'notification',
  title: ['Webhook 已停用', 'Webhook disabled'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}', '{body}'],
  ],
  action: ['查看投递记录', 'View deliveries'],
  sample: {
    title: ['Webhook「订单系统」已停用', 'The webhook “Order system” was disabled'],
    body: ['接收方返回 410，不再接收事件。', 'Its server answered 410 Gone and takes no more events.'],
  },
};

const reasonTexts = {
  gone: ['接收方返回 410，不再接收事件。需要时可重新启用。', 'Its server answered 410 Gone and takes no more events. You can enable it again.'],
  failing: [
    `连续 ${maxFailingDays} 天没有一次投递成功。请检查接收方，然后重新启用并重新发送。`,
    `No delivery has arrived for ${maxFailingDays} days. Check its server, then enable it and send the failed deliveries again.`,
  ],
} as const;

/** Notes that an endpoint has received an event. */
export async function recordSuccess(db: Database, endpointId: string): Promise<void> {
  await queryRows(db, sql`update webhook_endpoint set failing_since = null where id = ${endpointId} and failing_since is not null`);
}

/** Notes that an endpoint has failed, and disables one that is gone or that has failed for days; the users who set it up are notified. */
export async function recordFailure(
  { db, inbox }: Pick<ServerContext, 'db' | 'inbox'>,
  endpointId: string,
  { isGone, isGivenUp }: { readonly isGone: boolean; readonly isGivenUp: boolean },
): Promise<void> {
  await queryRows(db, sql`update webhook_endpoint set failing_since = date_trunc('second', now()) where id = ${endpointId} and failing_since is null`);
  if (!(isGone || isGivenUp)) return;
  const reason = isGone ? disabledReasons.gone : disabledReasons.failing;
  const [disabled] = await queryRows<{ name: string; users: (string | null)[] }>(
    db,
    sql`update webhook_endpoint set is_enabled = false, disabled_reason = ${reason}, update_time = date_trunc('second', now())
        where id = ${endpointId} and is_enabled and is_deleted = 0 and (${isGone} or failing_since < now() - make_interval(days => ${maxFailingDays}))
        returning name, array[create_user::text, update_user::text] as users`,
  );
  if (!disabled) return;
  recordChange({
    entity: Endpoint.name,
    id: endpointId,
    before: { isEnabled: true, disabledReason: null },
    after: { isEnabled: false, disabledReason: reason },
  });
  const users = [...new Set(disabled.users)].filter((id) => id !== null);
  await inbox.deliver({
    users,
    kind: 'message',
    topic: disabledMail.code,
    title: [`Webhook「${disabled.name}」已停用`, `The webhook “${disabled.name}” was disabled`],
    body: reasonTexts[reason],
    link: listAddress(`${webhookDeliveryMenu.path}/index`, { filters: { endpointId } }),
  });
}
