import { CrudPage, useWords } from '#kernel';
import { loginLog } from '../contract.ts';
import { loginLogMenu } from '../menus.ts';
import { wayWords } from './words.ts';

export default function LoginLogPage() {
  const say = useWords();
  const called = (way: string) => (wayWords[way] ? say(wayWords[way]) : way);
  return <CrudPage crud={loginLog} title={loginLogMenu.title} details columns={{ way: { render: ({ way }) => called(way) } }} />;
}
