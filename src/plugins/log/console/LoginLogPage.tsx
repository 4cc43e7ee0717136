import { CrudPage, useTranslation } from '#kernel';
import { loginLog } from '../contract.ts';
import { loginLogMenu } from '../menus.ts';
import { grantMessages, logMessages } from './messages.ts';

export default function LoginLogPage() {
  const t = useTranslation();
  const methodName = (grantType: string) => (grantMessages[grantType] ? t(grantMessages[grantType]) : grantType);
  return (
    <CrudPage
      crud={loginLog}
      title={loginLogMenu.title}
      empty={{ title: logMessages.noSignIns, hint: logMessages.noSignInsHint }}
      details
      columns={{ way: { render: ({ way }) => methodName(way) } }}
    />
  );
}
