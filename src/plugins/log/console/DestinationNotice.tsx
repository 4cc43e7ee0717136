import { Alert } from '@arco-design/web-react';
import { useQuery, useTranslation } from '#kernel';
import type { apiLog } from '../contract.ts';
import { destinationMessages } from './messages.ts';

/** States above a list where its entries are, if they are sent elsewhere. */
export function DestinationNotice({ log }: { readonly log: Pick<typeof apiLog, 'destination'> }) {
  const t = useTranslation();
  const { data } = useQuery(log.destination, {}, { quiet: true });
  if (!data?.host) return null;
  return <Alert type={data.stored ? 'info' : 'warning'} content={t(destinationMessages[data.stored ? 'both' : 'elsewhere'], { host: data.host })} />;
}
