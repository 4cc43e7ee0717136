import { CrudPage } from '#kernel';
import { errorLog } from '../contract.ts';
import { DestinationNotice } from './DestinationNotice.tsx';
import { logMessages } from './messages.ts';

export default function ErrorLogPage() {
  return (
    <>
      <DestinationNotice log={errorLog} />
      <CrudPage crud={errorLog} empty={{ title: logMessages.noErrors, hint: logMessages.noErrorsHint }} />
    </>
  );
}
