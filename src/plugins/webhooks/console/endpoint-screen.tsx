import { type ScreenAddition, Tag, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { Delivery, type EndpointActivity, type EndpointRow } from '../contract.ts';
import { webhookMessages } from './messages.ts';

/** An endpoint of the list, with what it delivered. */
export type ListedEndpoint = EndpointRow & EndpointActivity;
const { tones, options = [] } = traitsOf(Delivery.fields.state) ?? {};

/** Shows the success rate, rounded down, so that a rate with a failure is never shown as 100 %. */
function RateCell({ row: { delivered, failed } }: { readonly row: ListedEndpoint }) {
  const t = useTranslation();
  if (delivered + failed === 0) return '—';
  const percent = Math.floor((1000 * delivered) / (delivered + failed)) / 10;
  return <Tag tone={failed === 0 ? 'good' : delivered === 0 ? 'danger' : 'warning'}>{`${percent}% · ${t(webhookMessages.counts, { delivered, failed })}`}</Tag>;
}

function LastDeliveryCell({ row: { lastDelivery } }: { readonly row: ListedEndpoint }) {
  const t = useTranslation();
  if (!lastDelivery) return t(webhookMessages.never);
  const { state, time } = lastDelivery;
  return (
    <>
      <Tag tone={tones?.[state] ?? 'neutral'}>{t(options.find(([value]) => value === state)?.[1] ?? ['', ''])}</Tag> {time.slice(5, 16)}
    </>
  );
}

/** Adds the activity of each endpoint to the list, whose rows carry it. */
export default (): ScreenAddition<ListedEndpoint> => ({
  columns: {
    rate: { title: webhookMessages.rate, width: 230, Cell: RateCell },
    lastDelivery: { title: webhookMessages.lastDelivery, width: 190, Cell: LastDeliveryCell },
  },
});
