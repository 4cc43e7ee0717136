import { CrudPage, useTranslation } from '#kernel';
import { usualLog } from '../contract.ts';
import { usualLogMenu } from '../menus.ts';
import { DestinationNotice } from './DestinationNotice.tsx';
import { JsonBlock } from './JsonBlock.tsx';
import { eventMessages, logMessages } from './messages.ts';

/** Lists what the server and its plugins report about work without a request. */
export default function UsualLogPage() {
  const t = useTranslation();
  const nameOf = (event: string) => {
    const title = eventMessages[event];
    return title ? t(title) : event;
  };
  return (
    <>
      <DestinationNotice log={usualLog} />
      <CrudPage
        crud={usualLog}
        title={usualLogMenu.title}
        empty={{ title: logMessages.noEvents, hint: logMessages.noEventsHint }}
        columns={{
          logId: { render: ({ logId }) => <span title={logId}>{nameOf(logId)}</span> },
          logData: { render: ({ logData }) => <JsonBlock json={logData} /> },
        }}
      />
    </>
  );
}
