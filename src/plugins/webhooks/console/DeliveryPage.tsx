import { type BatchAction, CrudPage, Http, useService } from '#kernel';
import { type DeliveryRow, deliveryStates, webhookDelivery } from '../contract.ts';
import { webhookDeliveryMenu } from '../menus.ts';
import { webhookMessages } from './messages.ts';
import styles from './webhooks.module.css';

const { resend, ...crud } = webhookDelivery;
const code = 'webhook_delivery_resend';
const isResendable = ({ state }: DeliveryRow) => state !== deliveryStates.sending;

/** Lists what was sent to endpoints. Top task: see why an event has not arrived and send it again, 1 click for the response, 1 click to send. */
export default function DeliveryPage() {
  const http = useService(Http);
  const resending: BatchAction = {
    title: webhookMessages.resend,
    done: webhookMessages.queuedAgain,
    send: async (ids) => {
      const answer = await http.send(resend, { ids: [...ids], partial: true });
      return answer.success ? answer.data : undefined;
    },
  };
  return (
    <CrudPage
      crud={crud}
      title={webhookDeliveryMenu.title}
      empty={{ title: webhookMessages.noDeliveries, hint: webhookMessages.noDeliveriesHint }}
      presentation="drawer"
      formWidth={760}
      columns={{
        body: { render: ({ body }) => <Content text={body} /> },
        response: { render: ({ response }) => response && <Content text={response} /> },
      }}
      actions={{
        toolbar: [{ title: webhookMessages.resend, code, when: isResendable, onClick: (ids, { batch }) => batch(ids, resending) }],
        row: [{ title: webhookMessages.resend, code, isPrimary: true, when: isResendable, onClick: ({ id }, { batch }) => batch([id], resending) }],
      }}
    />
  );
}

/** Shows JSON over several lines, and other text unchanged. */
function Content({ text }: { readonly text: string }) {
  return <pre className={styles.content}>{formatted(text)}</pre>;
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
