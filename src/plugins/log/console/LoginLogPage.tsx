import { CrudPage } from '#kernel';
import { loginLog } from '../contract.ts';
import { loginLogMenu } from '../menus.ts';

export default function LoginLogPage() {
  return <CrudPage crud={loginLog} title={loginLogMenu.title} details />;
}
