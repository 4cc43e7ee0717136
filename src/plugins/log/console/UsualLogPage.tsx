import { CrudPage } from '#kernel';
import { usualLog } from '../contract.ts';
import { usualLogMenu } from '../menus.ts';
import { Laid } from './Laid.tsx';

export default function UsualLogPage() {
  return <CrudPage crud={usualLog} title={usualLogMenu.title} columns={{ logData: { render: ({ logData }) => <Laid json={logData} /> } }} />;
}
