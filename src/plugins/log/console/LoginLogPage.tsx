import { CrudPage, useTranslation } from '#kernel';
import { loginLog } from '../contract.ts';
import { loginLogMenu } from '../menus.ts';
import { wayMessages } from './messages.ts';

export default function LoginLogPage() {
  const t = useTranslation();
  const called = (way: string) => (wayMessages[way] ? t(wayMessages[way]) : way);
  return <CrudPage crud={loginLog} title={loginLogMenu.title} details columns={{ way: { render: ({ way }) => called(way) } }} />;
}
