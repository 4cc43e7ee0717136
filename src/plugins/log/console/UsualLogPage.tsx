import { CrudPage } from '#kernel';
import { usualLog } from '../contract.ts';
import { usualLogMenu } from '../menus.ts';
import { JsonBlock } from './JsonBlock.tsx';

export default function UsualLogPage() {
  return <CrudPage crud={usualLog} title={usualLogMenu.title} columns={{ logData: { render: ({ logData }) => <JsonBlock json={logData} /> } }} />;
}
