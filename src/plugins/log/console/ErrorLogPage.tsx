import { CrudPage } from '#kernel';
import { errorLog } from '../contract.ts';
import { logMessages } from './messages.ts';

export default function ErrorLogPage() {
  return <CrudPage crud={errorLog} empty={{ title: logMessages.noErrors, hint: logMessages.noErrorsHint }} />;
}
