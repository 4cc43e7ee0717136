import { CrudPage } from '#kernel';
import { errorLog } from '../contract.ts';

export default function ErrorLogPage() {
  return <CrudPage crud={errorLog} />;
}
