import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, type CrudScreen, Dialogs, Http, OneTimeSecret, Tag, Toasts, useRowsLink, useService, useTranslation } from '#kernel';
import type { Tone } from '#shared/fields';
import { rowsOf } from '#shared/figures';
import type { LocalizedText } from '#shared/text';
import { type DeliveryRow, deliveryFailures, disabledReasons, type EndpointRow, webhookDelivery, webhookEndpoint } from '../contract.ts';
import { webhookMenu } from '../menus.ts';
import type { ListedEndpoint } from './endpoint-screen.tsx';
import { endpointNoun, webhookMessages } from './messages.ts';

const { events: _events, rotateSecret, test, resendFailed, ...crud } = webhookEndpoint;

type EndpointScreen = Pick<CrudScreen<EndpointRow>, 'reload'>;
interface ShownSecret {
  readonly secret: string;
  readonly formerSecretUntil?: string;
}

function stateOf({ isEnabled, disabledReason }: EndpointRow): { readonly tone: Tone; readonly title: LocalizedText } {
  if (isEnabled) return { tone: 'good', title: webhookMessages.enabled };
  if (disabledReason === disabledReasons.gone) return { tone: 'danger', title: webhookMessages.gone };
  return disabledReason ? { tone: 'danger', title: webhookMessages.failing } : { tone: 'neutral', title: webhookMessages.off };
}

/** Lists the endpoints of the tenant. Top task: see whether an integration receives events and why not, 0 clicks for its rate, 1 click for its deliveries. */
export default function EndpointPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const navigate = useNavigate();
  const linkOf = useRowsLink();
  const deliveriesOf = ({ id }: EndpointRow) => linkOf(rowsOf(webhookDelivery, { endpointId: id }));
  const [shown, setShown] = useState<ShownSecret>();

  const sendTest = async ({ id }: EndpointRow, { reload }: EndpointScreen) => {
    const answer = await http.send(test, { id });
    if (!answer.success) return;
    const { failure, responseStatus: status, durationMs: duration } = answer.data as DeliveryRow;
    if (failure === null || failure === undefined) toasts.success(t(webhookMessages.testArrived, { status: status ?? '', duration: duration ?? '' }));
    else if (failure === 'status') toasts.warning(t(webhookMessages.testFailedStatus, { status: status ?? '' }));
    else toasts.warning(t(webhookMessages.testFailed, { reason: t(deliveryFailures[failure]) }));
    reload();
  };
  const sendFailedAgain = async (row: EndpointRow, { reload }: EndpointScreen) => {
    const { id, name, givenUp } = row as ListedEndpoint;
    const title = t(webhookMessages.resendFailed);
    const content = t(webhookMessages.resendFailedQuestion, { name, count: givenUp });
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: t(webhookMessages.cancel) }))) return;
    const answer = await http.send(resendFailed, { id });
    if (answer.success) toasts.success(t(webhookMessages.queuedAgain, { count: answer.data.count }));
    reload();
  };
  const rotate = async ({ id, name }: EndpointRow) => {
    const title = t(webhookMessages.rotate);
    if (!(await dialogs.confirm({ title, content: t(webhookMessages.rotateQuestion, { name }), confirm: title, cancel: t(webhookMessages.cancel) }))) return;
    const answer = await http.send(rotateSecret, { id });
    if (answer.success) setShown(answer.data);
  };

  return (
    <>
      <CrudPage
        crud={crud}
        title={webhookMenu.title}
        noun={endpointNoun}
        columns={{
          createTime: { hidden: true },
          isEnabled: {
            width: 180,
            render: (row) => {
              const { tone, title } = stateOf(row);
              return <Tag tone={tone}>{t(title)}</Tag>;
            },
          },
          events: { render: ({ events }) => events.join(', ') },
        }}
        onSaved={(row) => {
          const { secret } = row as EndpointRow & Partial<ShownSecret>;
          if (secret) setShown({ secret });
        }}
        actions={{
          row: [
            {
              title: webhookMessages.deliveries,
              isPrimary: true,
              when: (row) => deliveriesOf(row) !== undefined,
              onClick: (row) => void navigate(deliveriesOf(row) ?? ''),
            },
            { title: webhookMessages.test, code: 'webhook_test', onClick: (row, screen) => sendTest(row, screen) },
            {
              title: webhookMessages.resendFailed,
              code: 'webhook_delivery_resend',
              when: (row) => row.isEnabled && (row as ListedEndpoint).givenUp > 0,
              onClick: (row, screen) => sendFailedAgain(row, screen),
            },
            { title: webhookMessages.rotate, code: 'webhook_secret', onClick: (row) => rotate(row) },
          ],
        }}
      />
      {shown && (
        <OneTimeSecret
          title={webhookMessages.secretTitle}
          secrets={[
            { title: webhookMessages.secret, value: shown.secret },
            ...(shown.formerSecretUntil ? [{ title: webhookMessages.formerUntil, value: shown.formerSecretUntil }] : []),
          ]}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
